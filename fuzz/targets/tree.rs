//! Whatever bytes stand in a file of trees, they are read or refused; what is read is compiled or
//! refused, ticked within bounds, and does the same again in every format that can write it.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use populace::behaviour::compile::compile;
use populace::behaviour::definition::Document;
use populace::behaviour::draw::{TextStyle, dot, svg, text};
use populace::behaviour::format::{Format, read_text, write};
use populace::behaviour::interpret::TickMode;
use populace::behaviour::lint::lint;
use populace::behaviour::rehearse::{Rehearsal, StubWords, TickNotes};

const FORMATS: [Format; 5] =
    [Format::Yaml, Format::Json, Format::Xml, Format::PyTreesXml, Format::Workflow];
/// The most nodes of a tree that is ticked, so that an input is done within its time.
const NODES_MAX: usize = 300;
const TICKS: usize = 20;

fuzz_target!(|bytes: &[u8]| {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    for format in FORMATS {
        let Ok(document) = read_text(format, input, Path::new("input")) else { continue };
        let drawings = [text(&document, TextStyle::Ascii), dot(&document), svg(&document)];
        assert!(drawings.iter().all(|drawing| !drawing.is_empty()));
        let _ = lint(&document);
        let document = document.without_places();
        let notes = rehearse(&document);
        for other in FORMATS {
            let Ok(written) = write(&document, other) else { continue };
            let again = read_again(other, &written);
            assert_eq!(rehearse(&again), notes, "{format:?} as {other:?}:\n{written}");
            if matches!(other, Format::Yaml | Format::Json) {
                assert_eq!(again, document, "{format:?} as {other:?}:\n{written}");
            }
            // Other formats say more than they are told: models of nodes, what py_trees would
            // take otherwise. They do so once.
            let twice = write(&again, other).expect("what was read can be written");
            assert_eq!(read_again(other, &twice), again, "{format:?} as {other:?}:\n{written}");
        }
    }
});

fn read_again(format: Format, written: &str) -> Document {
    let again = read_text(format, written, Path::new("written"));
    let again = again.unwrap_or_else(|error| panic!("{format:?} as written: {error}\n{written}"));
    again.without_places()
}

/// What happens in both modes; nothing for a tree that cannot be compiled or is too large.
fn rehearse(document: &Document) -> Vec<TickNotes> {
    let Ok(tree) = compile(document, Path::new("input"), &StubWords) else { return Vec::new() };
    if tree.node_count() > NODES_MAX {
        return Vec::new();
    }
    // Mode `Once` may go through the tree 10,000 times in one tick.
    let modes = [(TickMode::ExactlyOnce, TICKS), (TickMode::Once, 1)];
    let notes = modes.map(|(mode, ticks)| {
        let mut rehearsal = Rehearsal::new(&tree, 1, 0);
        (0..ticks).map(|_| rehearsal.tick(mode)).collect::<Vec<_>>()
    });
    notes.concat()
}
