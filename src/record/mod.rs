//! What a run writes: typed tables, one writer thread, the manifest, and the reader.
