//! Whatever bytes stand in a file of trees, they are read or refused; what is read is compiled or
//! refused, ticked within bounds, and says the same again in every format that can write it.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use populace::behaviour::compile::compile;
use populace::behaviour::definition::Document;
use populace::behaviour::draw::{TextStyle, dot, svg, text};
use populace::behaviour::format::{Format, read_text, write};
use populace::behaviour::interpret::TickMode;
use populace::behaviour::lint::lint;
use populace::behaviour::rehearse::{Rehearsal, StubWords};

const FORMATS: [Format; 5] =
    [Format::Yaml, Format::Json, Format::Xml, Format::PyTreesXml, Format::Workflow];
/// The most nodes of a tree that is ticked, so that an input is done within its time.
const NODES_MAX: usize = 300;
const TICKS: usize = 20;

fuzz_target!(|bytes: &[u8]| {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    let path = Path::new("input");
    for format in FORMATS {
        let Ok(document) = read_text(format, input, path) else { continue };
        let drawings = [text(&document, TextStyle::Ascii), dot(&document), svg(&document)];
        assert!(drawings.iter().all(|drawing| !drawing.is_empty()));
        let _ = lint(&document);
        if let Ok(tree) = compile(&document, path, &StubWords) {
            let modes = [TickMode::ExactlyOnce, TickMode::Once];
            for mode in modes.into_iter().filter(|_| tree.node_count() <= NODES_MAX) {
                let mut rehearsal = Rehearsal::new(&tree, 1, 0);
                // Mode `Once` may go through the tree 10,000 times in one tick.
                let ticks = if mode == TickMode::Once { 1 } else { TICKS };
                (0..ticks).for_each(|_| drop(rehearsal.tick(mode)));
            }
        }
        let document = kept(document);
        for other in FORMATS {
            let Ok(written) = write(&document, other) else { continue };
            let again = read_text(other, &written, path).unwrap_or_else(|error| {
                panic!("{other:?} cannot read what it wrote: {error}\n{written}")
            });
            assert_eq!(kept(again), document, "{format:?} as {other:?}:\n{written}");
        }
    }
});

/// What every format keeps of a document.
fn kept(document: Document) -> Document {
    let mut document = document.without_places();
    // What a file says of nodes of others is written where the format needs it.
    document.models.clear();
    if document.trees.len() == 1 {
        // That the only tree is the one to run need not be said.
        document.main = None;
    }
    document
}
