//! Need levels: what wears off with time and is restored by activity.
//!
//! The four needs, their linear loss per simulated hour and their thresholds are those of the
//! first AgentSociety release (`needs_block`): hunger, energy, safety, social; loss 0.15, 0.08,
//! 0.05, 0.10 per hour; thresholds 0.2, 0.2, 0.2, 0.3.

use bevy_ecs::component::Component;
use serde::{Deserialize, Serialize};

use super::activity::{Activity, words};

words! {
    /// A need. A level is satisfaction: 1 = fully satisfied.
    Need {
        /// Food.
        Hunger = "hunger",
        /// Rest.
        Energy = "energy",
        /// Shelter and income.
        Safety = "safety",
        /// Company.
        Social = "social",
    }
}

/// Number of needs.
pub const NEED_COUNT: usize = 4;

/// Satisfaction of each need, in [`Need`] order, each in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Component, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Needs(pub [f32; NEED_COUNT]);

impl Needs {
    /// Level of one need.
    #[inline]
    pub fn level(&self, need: Need) -> f32 {
        self.0[need as usize]
    }
}

/// How needs change per simulated hour, by activity; losses and gains are already netted.
///
/// `net_per_h[activity][need]`, activities in [`Activity::ALL`] order.
#[derive(Debug, Clone, PartialEq)]
pub struct NeedRates {
    /// Net change per hour.
    pub net_per_h: Vec<[f32; NEED_COUNT]>,
    /// Levels at or below which a need asks for a revision of the Story.
    pub thresholds: [f32; NEED_COUNT],
}

/// Loss per hour when nothing restores the need.
pub const DECAY_PER_H: [f32; NEED_COUNT] = [0.15, 0.08, 0.05, 0.10];
/// Threshold of each need.
pub const THRESHOLDS: [f32; NEED_COUNT] = [0.2, 0.2, 0.2, 0.3];

impl NeedRates {
    /// Rates from losses, thresholds and the recovery that each activity brings.
    ///
    /// `recovery(activity)` is the gain per hour, in [`Need`] order.
    pub fn new(
        decay_per_h: [f32; NEED_COUNT],
        thresholds: [f32; NEED_COUNT],
        recovery: impl Fn(Activity) -> [f32; NEED_COUNT],
    ) -> Self {
        let net = |activity: &Activity| {
            let gain = recovery(*activity);
            std::array::from_fn(|need| gain[need] - decay_per_h[need])
        };
        Self { net_per_h: Activity::ALL.iter().map(net).collect(), thresholds }
    }

    /// Moves the levels of one person on by `dt_h` hours spent on `activity`; levels stay in
    /// [0, 1]. Linear in time away from the bounds.
    #[inline]
    pub fn advance(&self, needs: &mut Needs, activity: Activity, dt_h: f32) {
        let net = &self.net_per_h[usize::from(activity.code())];
        for (level, rate) in needs.0.iter_mut().zip(net) {
            *level = (*level + rate * dt_h).clamp(0.0, 1.0);
        }
    }

    /// The most urgent need at or below its threshold: hunger, then energy, safety, social.
    #[inline]
    pub fn urgent(&self, needs: &Needs) -> Option<Need> {
        (0..NEED_COUNT).find(|n| needs.0[*n] <= self.thresholds[*n]).map(|n| Need::ALL[n])
    }
}

/// Default recovery per hour of each activity.
///
/// Own choice: sleep restores a day's loss of energy in eight hours and slows hunger; home and
/// work hold a meal and a break in every few hours; a meal fills within the hour.
pub const fn default_recovery(activity: Activity) -> [f32; NEED_COUNT] {
    match activity {
        Activity::Sleep => [0.12, 0.24, 0.15, 0.10],
        Activity::Home => [0.20, 0.08, 0.15, 0.15],
        Activity::Work => [0.10, 0.03, 0.08, 0.08],
        Activity::School => [0.10, 0.03, 0.08, 0.15],
        Activity::Shop | Activity::Escort | Activity::Other => [0.05, 0.02, 0.05, 0.10],
        Activity::Eat | Activity::Meal => [1.50, 0.10, 0.05, 0.30],
        Activity::Leisure => [0.10, 0.05, 0.05, 0.30],
        Activity::Social => [0.20, 0.05, 0.05, 0.60],
        Activity::Travel => [0.0, 0.0, 0.05, 0.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contract: linear loss, two ticks of five minutes equal one of ten.
    #[test]
    fn decay_is_linear_and_bounded() {
        let rates = NeedRates::new(DECAY_PER_H, THRESHOLDS, |_| [0.0; NEED_COUNT]);
        let mut once = Needs([0.8, 0.7, 0.9, 0.6]);
        let mut twice = once;
        rates.advance(&mut once, Activity::Home, 2.0);
        rates.advance(&mut twice, Activity::Home, 1.0);
        rates.advance(&mut twice, Activity::Home, 1.0);
        for (a, b) in once.0.iter().zip(twice.0) {
            assert!((a - b).abs() < 1e-6);
        }
        assert!((once.level(Need::Hunger) - 0.5).abs() < 1e-6);
        rates.advance(&mut once, Activity::Home, 100.0);
        assert_eq!(once.0, [0.0; NEED_COUNT]);
        assert_eq!(rates.urgent(&once), Some(Need::Hunger));
    }
}
