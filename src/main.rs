//! The command `populace`.

fn main() {}
