//! Files; and properties: what is written reads back, and no text makes a reader panic. Right
//! values: the documents themselves.

use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::{Format, read, read_text, write, yaml_schema};
use crate::behaviour::catalogue::{Arity, Catalogue, Category, NodeManifest};
use crate::behaviour::definition::{
    Document, NodeDefinition, NodeModel, PortDefinition, PortModel, Position, SlotDefinition,
    TreeDefinition,
};
use crate::behaviour::status::Dialect;

#[test]
fn a_file_is_read_by_its_name_and_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree");
    let result = |extension: &str, bytes: &[u8]| {
        let path = path.with_extension(extension);
        fs::write(&path, bytes).unwrap();
        read(&path).map(|document| document.trees[0].root.kind.clone())
    };
    let fault = |extension: &str, bytes: &[u8]| result(extension, bytes).unwrap_err().to_string();
    assert_eq!(result("yml", b"tree: Success").unwrap(), "Success");
    assert_eq!(result("JSON", b"\xEF\xBB\xBF{\"tree\": \"Success\"}").unwrap(), "Success");
    assert_eq!(result("json", b"{\"type\": \"Failure\"}").unwrap(), "Failure");
    let workflow = b"{\"nodes\": [{\"id\": \"a\", \"type\": \"Log\"}]}";
    assert_eq!(result("json", workflow).unwrap(), "SaySomething");
    assert!(fault("workflow.json", b"{}").contains("expected a workflow"));
    let xml = b"<root><BehaviorTree><selector/></BehaviorTree></root>";
    assert_eq!(result("xml", xml).unwrap(), "Selector");
    assert!(fault("txt", b"").contains(".yaml, .yml, .json or .xml"));
    assert!(fault("yaml", b"tree:\n \xFF").contains("tree.yaml:2:1: byte 8 is not text in UTF-8"));
    assert!(fault("xml", &vec![b' '; (4 << 20) + 1]).contains("4194304 bytes [bounds]"));
    assert!(read(&folder.path().join("none.xml")).unwrap_err().to_string().contains("cannot read"));
}

/// Texts that some format would take for something else, and any others.
fn text() -> impl Strategy<Value = String> {
    let odd = ["", " ", "true", "null", "~", "5.0", "-1", "007", "1e3", "no", "a: b", "# x", "- a"];
    let odder = ["{key}", "{a", "'q'", "\"q\"", "a\nb", "\ta ", "<&>]]>", "?>", "é早😀", "\u{85}"];
    prop_oneof![
        proptest::sample::select([&odd[..], &odder].concat()).prop_map(str::to_owned),
        vec(any::<char>(), 0..8).prop_map(String::from_iter),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Za-z_é早][A-Za-z0-9_-]{0,6}", Just("yes".to_owned()), Just("null".to_owned())]
        .prop_filter("means the root of a file", |name| !name.eq_ignore_ascii_case("root"))
}

fn port(name: String, value: String) -> PortDefinition {
    PortDefinition { name, value, at: Position::default() }
}

/// A node of the catalogue with some of its ports, in any order of kinds.
fn leaf(dialect: Dialect) -> impl Strategy<Value = NodeDefinition> {
    let catalogue = Catalogue::full(dialect);
    let known: Vec<&'static NodeManifest> = catalogue.nodes().collect();
    let values = vec(option::of(text()), 8);
    let rest = (name(), option::of(text()), values, option::of(text()));
    (proptest::sample::select(known), rest).prop_map(
        |(manifest, (called, name, values, condition))| {
            let given = manifest.ports.iter().zip(values);
            let mut ports: Vec<_> = given
                .filter_map(|(known, value)| {
                    // What a call names is an id that a tree can have.
                    let is_id = known.name == "ID" && manifest.category == Category::SubTree;
                    let value = value.map(|value| if is_id { called.clone() } else { value })?;
                    Some(port(known.name.to_owned(), value))
                })
                .collect();
            ports.extend(condition.map(|value| port("_skipIf".to_owned(), value)));
            let kind = manifest.kind.to_owned();
            NodeDefinition { kind, name, ports, ..NodeDefinition::default() }
        },
    )
}

fn node(dialect: Dialect) -> impl Strategy<Value = NodeDefinition> {
    leaf(dialect).prop_recursive(4, 24, 4, move |inner| {
        (leaf(dialect), vec(inner, 0..4)).prop_map(move |(mut node, mut children)| {
            let known = Catalogue::full(dialect).find(&node.kind);
            match known.map(|known| known.children) {
                Some(Arity::LEAF) => children.clear(),
                Some(Arity::ONE) => children.truncate(1),
                _ => {}
            }
            node.children = children;
            node
        })
    })
}

fn slot() -> impl Strategy<Value = SlotDefinition> {
    let kind = proptest::sample::select(vec!["any", "int", "enum", "place", "text"]);
    (name(), kind, vec(name(), 0..3), option::of(text()), option::of(text())).prop_map(
        |(name, kind, words, initial, description)| SlotDefinition {
            name,
            type_word: kind.to_owned(),
            words,
            initial,
            description,
            at: Position::default(),
        },
    )
}

fn model() -> impl Strategy<Value = NodeModel> {
    (name(), option::of(name()), option::of(text()), option::of(text())).prop_map(
        |(id, type_word, default, description)| NodeModel {
            category: Category::Action.word().to_owned(),
            id: format!("Own{id}"),
            ports: vec![PortModel {
                direction: "input_port".to_owned(),
                name: "x".to_owned(),
                type_word,
                default,
                description,
            }],
        },
    )
}

fn document(dialect: Dialect) -> impl Strategy<Value = Document> {
    let trees = vec((name(), node(dialect)), 1..4);
    (trees, option::of(name()), vec(slot(), 0..3), vec(model(), 0..2)).prop_map(
        move |(trees, main, slots, models)| {
            let at = Position::default();
            let mut document = Document { dialect, main, models, ..Document::default() };
            for (id, root) in trees {
                if document.trees.iter().all(|tree| tree.id != id) {
                    document.trees.push(TreeDefinition { id, root, at });
                }
            }
            for slot in slots {
                if document.slots.iter().all(|other| other.name != slot.name) {
                    document.slots.push(slot);
                }
            }
            document
        },
    )
}

fn either() -> impl Strategy<Value = Document> {
    prop_oneof![document(Dialect::PyTrees), document(Dialect::BtCpp)]
}

fn parse(format: Format, text: &str) -> Document {
    let read = read_text(format, text, Path::new("tree"));
    read.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Whether XML can hold all texts of a document: U+FFFE, U+FFFF and some controls it cannot.
fn holds(result: Result<String, crate::behaviour::error::TreeError>) -> Option<String> {
    match result {
        Ok(text) => Some(text),
        Err(error) => {
            assert!(error.to_string().contains("[unsayable]"), "{error}");
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn our_own_form_loses_nothing(document in either()) {
        for format in [Format::Yaml, Format::Json] {
            let text = write(&document, format).unwrap();
            let again = parse(format, &text);
            prop_assert_eq!(&again.clone().without_places(), &document, "{}", text);
            prop_assert_eq!(write(&again, format).unwrap(), text);
        }
    }

    #[test]
    fn the_schema_accepts_what_is_written(document in either()) {
        thread_local! {
            static SCHEMA: jsonschema::Validator =
                jsonschema::validator_for(&yaml_schema()).unwrap();
        }
        let json = serde_json::from_str(&write(&document, Format::Json).unwrap()).unwrap();
        let fault = SCHEMA.with(|schema| {
            schema.validate(&json).err().map(|fault| fault.to_string())
        });
        prop_assert_eq!(fault, None);
    }

    /// Trees and slots come back as they were; models of nodes in use are added once.
    #[test]
    fn xml_of_version_4_is_stable(document in document(Dialect::BtCpp)) {
        if let Some(text) = holds(write(&document, Format::Xml)) {
            let again = parse(Format::Xml, &text);
            let bare = again.clone().without_places();
            prop_assert_eq!(&bare.trees, &document.trees, "{}", text);
            prop_assert_eq!(&bare.slots, &document.slots, "{}", text);
            prop_assert_eq!(&bare.main, &document.main);
            let twice = write(&again, Format::Xml).unwrap();
            prop_assert_eq!(parse(Format::Xml, &twice).without_places(), bare);
            prop_assert_eq!(write(&parse(Format::Xml, &twice), Format::Xml).unwrap(), twice);
        }
    }

    /// What py_trees would take otherwise is written out the first time.
    #[test]
    fn xml_of_py_trees_is_stable(document in document(Dialect::PyTrees)) {
        if let Some(text) = holds(write(&document, Format::PyTreesXml)) {
            let once = parse(Format::Xml, &text);
            let twice = parse(Format::Xml, &write(&once, Format::PyTreesXml).unwrap());
            prop_assert_eq!(&twice.clone().without_places(), &once.without_places(), "{}", text);
            let third = parse(Format::Xml, &write(&twice, Format::PyTreesXml).unwrap());
            prop_assert_eq!(third.without_places(), twice.without_places());
        }
    }

    #[test]
    fn a_workflow_is_stable_or_refused(document in document(Dialect::PyTrees)) {
        if let Some(text) = holds(write(&document, Format::Workflow)) {
            let once = parse(Format::Workflow, &text);
            let again = write(&once, Format::Workflow).unwrap();
            let twice = parse(Format::Workflow, &again);
            prop_assert_eq!(twice.without_places(), once.without_places());
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(
        text in any::<String>(), document in either(), cut in 0..999usize,
    ) {
        let files = [Format::Yaml, Format::Json, Format::Xml, Format::PyTreesXml];
        let written = files.iter().filter_map(|format| write(&document, *format).ok());
        let texts = written.chain([text]).flat_map(|text| {
            let cut = text.char_indices().nth(cut).map_or(text.len(), |(index, _)| index);
            let (left, right) = text.split_at(cut);
            let mixed = [format!("{right}{left}"), format!("{left}\u{0}{right}")];
            [left.to_owned(), right.to_owned()].into_iter().chain(mixed)
        });
        for text in texts {
            for format in Format::ALL {
                let _ = read_text(format, &text, Path::new("tree"));
            }
        }
    }

    /// Pieces of the three syntaxes in any order.
    #[test]
    fn no_heap_of_pieces_makes_a_reader_panic(pieces in vec(proptest::sample::select(vec![
        "<root>", "</root>", "<BehaviorTree ID=\"A\">", "</BehaviorTree>", "<A x=\"1\"/>", "<!--",
        "-->", "<![CDATA[", "]]>", "&amp;", "&#x0;", "<?populace-blackboard {?>", "<include/>",
        "tree:", "trees:", "- ", "\n", "  ", "{", "}", "[", "]", ":", ",", "\"", "children", "&a",
        "*a", "!t", "|", ">", "---", "\"nodes\":[", "\"edges\":[", "\"type\":", "1", "\t", "é",
    ]), 0..40)) {
        let text = pieces.concat();
        for format in Format::ALL {
            let _ = read_text(format, &text, Path::new("tree"));
        }
    }
}
