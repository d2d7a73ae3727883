//! How large a document may be, whoever wrote it.

/// Bytes of a file.
pub const FILE_BYTES_MAX: u64 = 4 << 20;
/// Nodes within nodes.
pub const DEPTH_MAX: usize = 256;
/// Nodes of all trees of a document together.
pub const NODES_MAX: usize = 10_000;
/// Files that include one another in a chain.
pub const INCLUDE_DEPTH_MAX: usize = 16;
/// Characters of a name.
pub const NAME_CHARS_MAX: usize = 256;
