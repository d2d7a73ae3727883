//! The words for what people do, where, and how they get there.

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[repr(u8)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every value, in code order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word used in scenarios and tables.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The value with this word.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.word() == word)
            }

            /// Position in [`Self::ALL`].
            #[inline]
            pub const fn code(self) -> u8 {
                self as u8
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// What a person does. The words are those of AgentSociety's event types where it has one
    /// (sleep, home activity, work, shopping, eating out, leisure and entertainment, other), so
    /// that a story.yaml written by either is understood by both.
    Activity {
        /// Night or day sleep.
        Sleep = "sleep",
        /// Anything at home but sleep.
        Home = "home activity",
        /// Paid work.
        Work = "work",
        /// School or university.
        School = "school",
        /// Shopping.
        Shop = "shopping",
        /// A meal outside home.
        Eat = "eating out",
        /// Leisure, sport, recreation.
        Leisure = "leisure and entertainment",
        /// Visiting or meeting people.
        Social = "social",
        /// Bringing or fetching someone.
        Escort = "escort",
        /// Services, medical visits, worship and the rest.
        Other = "other",
        /// A meal where one is: at home, at work, on a visit.
        Meal = "meal",
        /// Under way between two places.
        Travel = "commute",
    }
}

impl Activity {
    /// The kind of place where this activity is at home.
    pub const fn place_kind(self) -> PlaceKind {
        match self {
            Self::Sleep | Self::Home | Self::Meal | Self::Travel => PlaceKind::Home,
            Self::Work => PlaceKind::Work,
            Self::School => PlaceKind::School,
            Self::Shop => PlaceKind::Shop,
            Self::Eat => PlaceKind::Eat,
            Self::Leisure | Self::Social => PlaceKind::Leisure,
            Self::Escort | Self::Other => PlaceKind::Service,
        }
    }
}

words! {
    /// What a place is for.
    PlaceKind {
        /// A dwelling.
        Home = "home",
        /// An office, a plant, any workplace.
        Work = "work",
        /// A school or university.
        School = "school",
        /// A shop.
        Shop = "shop",
        /// A restaurant or café.
        Eat = "eat",
        /// A place of leisure.
        Leisure = "leisure",
        /// Health, administration, worship, care.
        Service = "service",
    }
}

words! {
    /// How a leg is travelled.
    Mode {
        /// On foot.
        Walk = "walk",
        /// By bicycle.
        Bike = "bike",
        /// By car, driving or as a passenger.
        Car = "car",
        /// By public transport.
        Transit = "pt",
    }
}
