//! Skills written in Rust, called with a chunk of agents at a time.

pub mod daily_guidance;
