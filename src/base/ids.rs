//! Stable identifiers. All are dense indices, so a column can be indexed by them.

use std::fmt;

use bevy_ecs::component::Component;
use serde::{Deserialize, Serialize};

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(Component, Serialize, Deserialize)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Marks "none"; never the identifier of anything.
            pub const NONE: Self = Self(u32::MAX);

            /// Position in a dense column. Meaningless for [`Self::NONE`].
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The identifier of the `index`-th element.
            ///
            /// # Panics
            /// If `index` does not fit below [`Self::NONE`].
            #[inline]
            pub fn from_index(index: usize) -> Self {
                assert!(index < u32::MAX as usize, "too many {}s: {index}", stringify!($name));
                Self(index as u32)
            }

            /// Whether this names something.
            #[inline]
            pub const fn is_some(self) -> bool {
                self.0 != u32::MAX
            }

            /// `None` for [`Self::NONE`], the number otherwise.
            #[inline]
            pub const fn get(self) -> Option<u32> {
                if self.is_some() { Some(self.0) } else { None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.get() {
                    Some(number) => write!(f, "{number}"),
                    None => write!(f, "none"),
                }
            }
        }
    };
}

id_type! {
    /// One agent, for the whole run; never reused. Agents are numbered from 0 in the order of
    /// their source identifiers, so the order of input rows does not matter.
    AgentId
}
id_type! {
    /// One place of the environment.
    PlaceId
}
id_type! {
    /// One zone of the environment (a district whose totals are known).
    ZoneId
}
id_type! {
    /// One household.
    HouseholdId
}
