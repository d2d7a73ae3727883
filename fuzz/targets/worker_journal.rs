//! Whatever bytes a worker leaves on its pipe or in its journal, they are read or refused: no
//! panic, no memory beyond their own size, and the answers before a bad spot are kept.
#![no_main]

use libfuzzer_sys::fuzz_target;
use populace::host::python::protocol::{read_journal, read_note, split_frame};

fuzz_target!(|bytes: &[u8]| {
    let (answers, problem) = read_journal(bytes);
    let mut rest = bytes;
    let mut frames = 0;
    while let Ok(Some((body, after))) = split_frame(rest) {
        assert_eq!(4 + body.len() + after.len(), rest.len(), "a frame is its head and its body");
        let _ = read_note(body);
        rest = after;
        frames += 1;
    }
    assert!(answers.len() <= frames);
    let all = answers.len() == frames;
    assert!(all || problem.is_some(), "every frame is an answer, or one is told");
    // What came before stands, whatever follows.
    let mut longer = bytes[..bytes.len() - rest.len()].to_vec();
    longer.extend_from_slice(&[0, 0, 0, 1, b'!']);
    assert!(read_journal(&longer).0.starts_with(&answers));
});
