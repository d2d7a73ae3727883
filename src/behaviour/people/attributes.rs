//! The names of a person's attributes, needs, perception and clock, and of other persons.

use crate::agent::activity::words;
use crate::behaviour::catalogue::{Catalogue, Leaves};
use crate::behaviour::compile::Vocabulary;
use crate::behaviour::definition::{Document, NodeDefinition};
use crate::behaviour::expression::{AttributeIndex, SourceIndex};
use crate::behaviour::value::ValueType;

words! {
    /// Whom aggregates go over. Nobody is among their own others.
    Others {
        /// The other members of the household.
        Household = "household",
        /// Who is at the same place now; nobody on a trip.
        Here = "here",
        /// Who lives in the nearest other homes.
        Neighbours = "neighbours",
    }
}

impl Others {
    /// Its number among the sources.
    pub const fn source(self) -> SourceIndex {
        SourceIndex(self as u16)
    }

    /// The others of a number.
    pub fn of(source: SourceIndex) -> Self {
        Self::ALL[usize::from(source.0)]
    }
}

words! {
    /// What a tree can read of its person and of the moment.
    Attribute {
        /// The person.
        Id = "self.id",
        /// Completed years.
        Age = "self.age",
        /// `female` or `male`, as in table `persons`.
        Sex = "self.sex",
        /// Main role, as in table `persons`.
        Role = "self.role",
        /// Household income per year.
        Income = "self.income",
        /// Cars of the household.
        Cars = "self.cars",
        /// Members of the household.
        HouseholdSize = "self.household_size",
        /// Home.
        Home = "self.home",
        /// Workplace; unset if there is none.
        Work = "self.work",
        /// School or university; unset if there is none.
        School = "self.school",
        /// Whether the person has a workplace.
        HasWork = "self.has_work",
        /// Whether the person has a school or university.
        HasSchool = "self.has_school",
        /// Level of a need, in [0, 1].
        Hunger = "needs.hunger",
        /// Level of a need, in [0, 1].
        Energy = "needs.energy",
        /// Level of a need, in [0, 1].
        Safety = "needs.safety",
        /// Level of a need, in [0, 1].
        Social = "needs.social",
        /// Where the person is; unset on a trip.
        Place = "here.place",
        /// What the place is for; unset on a trip.
        PlaceKind = "here.kind",
        /// What the person came or goes for.
        Purpose = "here.purpose",
        /// Whether the person is at home.
        AtHome = "here.at_home",
        /// Whether the person is at work.
        AtWork = "here.at_work",
        /// Whether the person is on a trip.
        Travelling = "here.travelling",
        /// Whether the person arrived since the last tick.
        Arrived = "here.arrived",
        /// Minutes since the stay or the trip began.
        Minutes = "here.minutes",
        /// Messages received since the last tick.
        Mail = "mail.count",
        /// Now.
        Now = "time.now",
        /// Hour of the day with its fraction, in [0, 24).
        Hour = "time.hour",
        /// Minute of the day, 0 to 1439.
        MinuteOfDay = "time.minute",
        /// Days since the day of the start.
        Day = "time.day",
        /// Whether it is a Saturday or a Sunday.
        Weekend = "time.weekend",
        /// Index of the tick.
        Tick = "time.tick",
        /// What the Story has the person do now; unset in a gap.
        StoryActivity = "story.activity",
    }
}

impl Attribute {
    /// What it holds.
    pub const fn kind(self) -> ValueType {
        match self {
            Self::Id => ValueType::Agent,
            Self::Sex | Self::Role | Self::PlaceKind | Self::Purpose | Self::StoryActivity => {
                ValueType::Text
            }
            Self::Income
            | Self::Hunger
            | Self::Energy
            | Self::Safety
            | Self::Social
            | Self::Minutes
            | Self::Hour => ValueType::Number,
            Self::Age
            | Self::Cars
            | Self::HouseholdSize
            | Self::Mail
            | Self::MinuteOfDay
            | Self::Day
            | Self::Tick => ValueType::Int,
            Self::Home | Self::Work | Self::School | Self::Place => ValueType::Place,
            Self::HasWork
            | Self::HasSchool
            | Self::AtHome
            | Self::AtWork
            | Self::Travelling
            | Self::Arrived
            | Self::Weekend => ValueType::Bool,
            Self::Now => ValueType::Time,
        }
    }

    /// Its name behind `other.`, if it is one that others can see.
    pub fn of_others(self) -> Option<&'static str> {
        let (about, name) = self.word().split_once('.')?;
        matches!(about, "self" | "needs" | "here").then_some(name)
    }

    /// The attribute of an index.
    pub fn of(index: AttributeIndex) -> Self {
        Self::ALL[usize::from(index.0)]
    }
}

/// What a person's tree may name.
#[derive(Debug, Clone, Copy)]
pub struct PersonWords;

impl Vocabulary for PersonWords {
    fn attribute(&self, name: &str) -> Option<(AttributeIndex, ValueType)> {
        let attribute = Attribute::from_word(name)?;
        Some((AttributeIndex(attribute.code().into()), attribute.kind()))
    }

    fn source(&self, name: &str) -> Option<SourceIndex> {
        Others::from_word(name).map(Others::source)
    }

    fn other(&self, _: SourceIndex, name: &str) -> Option<(AttributeIndex, ValueType)> {
        let attribute = Attribute::ALL.iter().find(|attribute| attribute.of_others() == Some(name));
        attribute.map(|known| (AttributeIndex(known.code().into()), known.kind()))
    }

    fn known(&self) -> Vec<String> {
        let own = Attribute::ALL.iter().map(|attribute| attribute.word().to_owned());
        let theirs = Attribute::ALL.iter().filter_map(|attribute| attribute.of_others());
        let others = Others::ALL.iter().map(|others| others.word().to_owned());
        own.chain(theirs.map(|name| format!("other.{name}"))).chain(others).collect()
    }

    fn leaves(&self) -> Leaves {
        Leaves::People
    }
}

/// The first node of a document that only persons have.
pub fn leaf_of_people(document: &Document) -> Option<&NodeDefinition> {
    let [people, others] =
        [Leaves::People, Leaves::Stubs].map(|leaves| Catalogue::new(document.dialect, leaves));
    let mut waiting: Vec<&NodeDefinition> =
        document.trees.iter().rev().map(|tree| &tree.root).collect();
    while let Some(node) = waiting.pop() {
        if people.find(&node.kind).is_some() && others.find(&node.kind).is_none() {
            return Some(node);
        }
        waiting.extend(node.children.iter().rev());
    }
    None
}
