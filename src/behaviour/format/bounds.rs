//! How large a document may be, whoever wrote it. Nodes within nodes, and the nodes of all its
//! trees together, are bounded as those of one compiled tree are.

pub use crate::behaviour::tree::{DEPTH_MAX, NODES_MAX};

/// Bytes of a file.
pub const FILE_BYTES_MAX: u64 = 4 << 20;
/// Files that include one another in a chain.
pub const INCLUDE_DEPTH_MAX: usize = 16;
/// Characters of a name.
pub const NAME_CHARS_MAX: usize = 256;
