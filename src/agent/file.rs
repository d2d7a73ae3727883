//! Files of a person's workspace, as letters between the outside and the records.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::activity::words;
use crate::base::ids::AgentId;

words! {
    /// What a row of table `workspace` holds of a file.
    FileContent {
        /// Its text.
        Text = "text",
        /// Its bytes in base64: it is not UTF-8.
        Base64 = "base64",
        /// Nothing: the file was removed.
        Removed = "removed",
    }
}

impl FileContent {
    /// The bytes of a file whose row has this content; `None` if it was removed, or if what should
    /// be base64 is not.
    pub fn bytes(self, content: &str) -> Option<Vec<u8>> {
        match self {
            Self::Text => Some(content.as_bytes().to_vec()),
            Self::Base64 => STANDARD.decode(content).ok(),
            Self::Removed => None,
        }
    }
}

/// A file that was written or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Whose.
    pub agent: AgentId,
    /// Path within the person's workspace, with `/`.
    pub path: String,
    /// The whole file; `None` if it was removed.
    pub bytes: Option<Vec<u8>>,
}

impl FileChange {
    /// What a table keeps of it.
    pub fn content(&self) -> (FileContent, String) {
        match self.bytes.as_deref() {
            None => (FileContent::Removed, String::new()),
            Some(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => (FileContent::Text, text.to_owned()),
                Err(_) => (FileContent::Base64, STANDARD.encode(bytes)),
            },
        }
    }

    /// The file as text, if it is there and is text.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(self.bytes.as_deref()?).ok()
    }
}
