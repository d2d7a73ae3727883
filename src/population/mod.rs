//! Makes the people: synthesis, import, replication, and where they live.
