//! Right values: the contract's rules of XML v4 and of py_trees 2.6 (section 3), the texts below
//! read by eye, and positions counted by hand.

use std::fs;
use std::path::Path;

use super::super::{Format, read, read_text, write};
use crate::behaviour::definition::{Document, NodeDefinition, SlotDefinition};
use crate::behaviour::error::{TreeError, TreeProblem};
use crate::behaviour::status::Dialect;

const COMMUTE: &str = r#"<?xml version="1.0"?>
<!-- a remark -->
<root BTCPP_format="4" main_tree_to_execute="Main">
  <BehaviorTree ID="Main">
    <Sequence name="day &amp; &quot;night&quot;">
      <Script code="a := 1 &lt; 2"/>
      <SubTree ID="Walk" to="{place}" _autoremap="true"/>
      <Condition ID="IsDark" _skipIf="a == 1"/>
      <早餐 数量="{n}"/>
    </Sequence>
  </BehaviorTree>
  <BehaviorTree ID="Walk"><AlwaysSuccess/></BehaviorTree>
  <TreeNodesModel>
    <Condition ID="IsDark" editable="true">
      <input_port name="level" type="int" default="3">how dark &#233;</input_port>
    </Condition>
  </TreeNodesModel>
</root>
"#;

fn parse(format: Format, text: &str) -> Result<Document, TreeError> {
    read_text(format, text, Path::new("tree.xml"))
}

fn problems(result: Result<Document, TreeError>) -> Vec<TreeProblem> {
    match result {
        Err(TreeError::Invalid { problems, .. }) => problems,
        other => panic!("expected problems, got {other:?}"),
    }
}

/// Line, column and code of each problem of a text.
fn places(text: &str) -> Vec<(u32, u32, &'static str)> {
    let found = problems(parse(Format::Xml, text));
    found.iter().map(|problem| (problem.line, problem.column, problem.code)).collect()
}

fn ports(node: &NodeDefinition) -> Vec<(&str, &str)> {
    node.ports.iter().map(|port| (port.name.as_str(), port.value.as_str())).collect()
}

#[test]
fn a_file_of_version_4_reads_as_it_stands() {
    let document = parse(Format::Xml, COMMUTE).unwrap();
    assert_eq!(document.dialect, Dialect::BtCpp);
    assert_eq!(document.main.as_deref(), Some("Main"));
    let ids: Vec<_> = document.trees.iter().map(|tree| tree.id.as_str()).collect();
    assert_eq!(ids, ["Main", "Walk"]);
    let root = &document.trees[0].root;
    assert_eq!((root.kind.as_str(), root.title()), ("Sequence", "day & \"night\""));
    assert_eq!((root.at.line, root.at.column), (5, 5));
    let [script, call, dark, breakfast] = root.children.as_slice() else { panic!() };
    assert_eq!(ports(script), [("code", "a := 1 < 2")]);
    assert_eq!((script.ports[0].at.line, script.ports[0].at.column), (6, 15));
    assert_eq!(call.kind, "SubTree");
    assert_eq!(ports(call), [("ID", "Walk"), ("to", "{place}"), ("_autoremap", "true")]);
    assert_eq!((dark.kind.as_str(), ports(dark)), ("IsDark", vec![("_skipIf", "a == 1")]));
    assert_eq!((breakfast.kind.as_str(), ports(breakfast)), ("早餐", vec![("数量", "{n}")]));
    let model = &document.models[0];
    assert_eq!((model.category.as_str(), model.id.as_str()), ("Condition", "IsDark"));
    let port = &model.ports[0];
    assert_eq!(port.direction, "input_port");
    assert_eq!(port.type_word.as_deref(), Some("int"));
    assert_eq!(port.default.as_deref(), Some("3"));
    assert_eq!(port.description.as_deref(), Some("how dark é"));
}

#[test]
fn the_version_may_be_missing_and_so_may_the_id_of_an_only_tree() {
    let document =
        parse(Format::Xml, "<root><BehaviorTree><AlwaysSuccess/></BehaviorTree></root>").unwrap();
    assert_eq!((document.dialect, document.main), (Dialect::BtCpp, None));
    assert_eq!(document.trees[0].id, "Main");
}

#[test]
fn version_3_is_refused_with_its_renames() {
    let text =
        r#"<root BTCPP_format="3"><BehaviorTree ID="A"><AlwaysSuccess/></BehaviorTree></root>"#;
    let found = problems(parse(Format::Xml, text));
    assert_eq!(found.len(), 1);
    for word in ["SequenceWithMemory", "SubTreePlus", "_autoremap"] {
        assert!(found[0].message.contains(word), "{}", found[0].message);
    }
}

#[test]
fn all_mistakes_of_shape_are_told_at_once() {
    let text = r#"<root BTCPP_format="4">
  <BehaviorTree ID="A"><Sequence/><Fallback/></BehaviorTree>
  <BehaviourTree ID="B"/>
  <BehaviorTree><Action/></BehaviorTree>
  <BehaviorTree ID="C">lost<Action ID="a.b" 1st="x"/></BehaviorTree>
  <TreeNodesModel><Akction ID="X"/><Action/></TreeNodesModel>
  <BehaviorTree ID="D"><Sequence children="x" ID="y"/></BehaviorTree>
</root>"#;
    let expected = [
        (2, 3, "structure"),
        (3, 3, "structure"),
        (4, 3, "structure"),
        (4, 17, "structure"),
        (5, 3, "structure"),
        (5, 28, "names"),
        (5, 45, "names"),
        (6, 19, "structure"),
        (6, 36, "structure"),
        (7, 34, "names"),
        (7, 47, "names"),
    ];
    assert_eq!(places(text), expected);
    let told = problems(parse(Format::Xml, text));
    assert!(told[1].message.contains("did you mean `BehaviorTree`"), "{}", told[1].message);
}

#[test]
fn what_is_not_xml_is_told_with_its_place() {
    let root = |inner: &str| format!("<root BTCPP_format=\"4\">\n{inner}\n</root>");
    let tree = |node: &str| root(&format!("<BehaviorTree ID=\"A\">{node}</BehaviorTree>"));
    let line_2 = [
        tree("<Sequence></Fallback>"),
        tree("<A x=\"1\" x=\"2\"/>"),
        tree("<A x=1/>"),
        tree("<A x=\"&nothing;\"/>"),
        tree("<A x=\"&#1;\"/>"),
        tree("<A>&nothing;</A>"),
    ];
    for text in &line_2 {
        let found = places(text);
        assert_eq!((found[0].0, found[0].2), (2, "syntax"), "{text}: {found:?}");
    }
    let whole = ["", "<root", "<root>", "<!DOCTYPE root><root/>", "text", "<root/><root/>"];
    for text in whole {
        assert!(!problems(parse(Format::Xml, text)).is_empty(), "{text}");
    }
}

/// 256 nodes within one another are allowed, and 10,000 in all.
#[test]
fn bounds_are_kept() {
    let nested = |depth: usize| {
        let (open, close) = ("<Inverter>".repeat(depth - 1), "</Inverter>".repeat(depth - 1));
        format!("<root><BehaviorTree ID=\"A\">{open}<X/>{close}</BehaviorTree></root>")
    };
    parse(Format::Xml, &nested(256)).unwrap();
    assert_eq!(places(&nested(257))[0].2, "bounds");
    assert_eq!(places(&nested(100_000))[0].2, "bounds");
    let wide = |nodes: usize| {
        let leaves = "<X/>".repeat(nodes - 1);
        format!("<root><BehaviorTree ID=\"A\"><Sequence>{leaves}</Sequence></BehaviorTree></root>")
    };
    parse(Format::Xml, &wide(10_000)).unwrap();
    assert_eq!(places(&wide(10_001))[0].2, "bounds");
    let large = format!("<root>{}</root>", " ".repeat(4 << 20));
    assert_eq!(places(&large)[0].2, "bounds");
}

#[test]
fn what_is_written_reads_back_and_declares_its_slots() {
    let mut document = parse(Format::Xml, COMMUTE).unwrap();
    document.slots.push(SlotDefinition {
        name: "mood".to_owned(),
        type_word: "enum".to_owned(),
        words: vec!["calm".to_owned(), "a ?> b".to_owned()],
        initial: Some("calm".to_owned()),
        description: None,
        at: Default::default(),
    });
    let first = write(&document, Format::Xml).unwrap();
    assert!(first.contains("\n<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">\n"));
    assert!(first.contains("<Sequence name=\"day &amp; &quot;night&quot;\">"), "{first}");
    assert!(
        first.contains("    <SubTree ID=\"Walk\">\n      <inout_port name=\"to\"/>"),
        "{first}"
    );
    let again = parse(Format::Xml, &first).unwrap();
    assert_eq!(again.slots[0].words, ["calm", "a ?> b"]);
    assert_eq!(again.slots[0].initial.as_deref(), Some("calm"));
    assert_eq!(write(&again, Format::Xml).unwrap(), first);
}

/// `1st` and `Action` are ids that BehaviorTree.CPP allows but no elements of nodes.
#[test]
fn a_kind_that_is_no_element_is_written_explicitly() {
    let node = |id: &str| format!("<Action ID=\"{id}\" name=\"a&#10;b\"/>");
    let text = format!(
        "<root><BehaviorTree ID=\"A\"><Sequence>{}{}</Sequence></BehaviorTree></root>",
        node("1st"),
        node("Action")
    );
    let document = parse(Format::Xml, &text).unwrap();
    let written = write(&document, Format::Xml).unwrap();
    assert!(written.contains(&node("1st")) && written.contains(&node("Action")), "{written}");
    let again = parse(Format::Xml, &written).unwrap();
    assert_eq!(again.trees[0].root.children[1].title(), "a\nb");
}

#[test]
fn what_xml_cannot_hold_and_the_other_dialect_are_refused() {
    let mut document = parse(Format::Xml, COMMUTE).unwrap();
    let error = write(&document, Format::PyTreesXml).unwrap_err().to_string();
    assert!(error.contains("rules differ [unsayable]"), "{error}");
    document.trees[0].root.name = Some("a\u{1}".to_owned());
    let error = write(&document, Format::Xml).unwrap_err().to_string();
    assert!(error.contains("'\\u{1}'") && error.contains("[unsayable]"), "{error}");
}

/// py_trees 2.6 (parsers/behaviour_tree_xml.py): tags in either case; a parallel without a policy
/// succeeds with one child; attributes of a tree are defaults of its ports.
#[test]
fn py_trees_reads_by_its_own_rules() {
    let text = r#"<root main_tree_to_execute="A">
  <BehaviorTree ID="A">
    <selector memory="False"><fallback/><parallel/><PARALLEL policy="success_on_all"/>
      <Condition status="SUCCESS"><Leaf x="{k}"/></Condition><subtreeplus ID="B" p="{k}"/>
    </selector>
  </BehaviorTree>
  <BehaviorTree ID="B" p="7"><Leaf/></BehaviorTree>
</root>"#;
    let document = parse(Format::Xml, text).unwrap();
    assert_eq!(document.dialect, Dialect::PyTrees, "a selector is of py_trees only");
    let root = &document.trees[0].root;
    assert_eq!((root.kind.as_str(), ports(root)), ("Selector", vec![("memory", "false")]));
    let children: Vec<_> =
        root.children.iter().map(|node| (node.kind.as_str(), ports(node))).collect();
    let expected = [
        ("Selector", vec![]),
        ("Parallel", vec![("policy", "SuccessOnOne")]),
        ("Parallel", vec![("policy", "SuccessOnAll")]),
        ("Condition", vec![("status", "SUCCESS")]),
        ("SubTree", vec![("ID", "B"), ("p", "{k}")]),
    ];
    assert_eq!(children, expected);
    let model = &document.models[0];
    assert_eq!((model.id.as_str(), model.ports[0].default.as_deref()), ("B", Some("7")));
    let written = write(&document, Format::PyTreesXml).unwrap();
    assert!(written.contains("<BehaviorTree ID=\"B\" p=\"7\">"), "{written}");
    assert!(written.contains("<Parallel policy=\"success_on_one\"/>"), "{written}");
    let again = parse(Format::Xml, &written).unwrap();
    assert_eq!(write(&again, Format::PyTreesXml).unwrap(), written);
}

#[test]
fn a_file_that_could_be_either_is_of_py_trees_if_somebody_says_so() {
    let text = r#"<root><BehaviorTree ID="A"><Sequence/></BehaviorTree></root>"#;
    assert_eq!(parse(Format::Xml, text).unwrap().dialect, Dialect::BtCpp);
    assert_eq!(parse(Format::PyTreesXml, text).unwrap().dialect, Dialect::PyTrees);
    let said = text.replace("<root>", "<root dialect=\"py_trees\">");
    assert_eq!(parse(Format::Xml, &said).unwrap().dialect, Dialect::PyTrees);
    let other = text.replace("<root>", "<root dialect=\"bt_cpp\">");
    assert_eq!(problems(parse(Format::PyTreesXml, &other))[0].code, "structure");
    let unknown = text.replace("<root>", "<root dialect=\"btcpp\">");
    assert_eq!(places(&unknown), [(1, 1, "structure")]);
}

/// A folder of files: `main.xml` includes `others`.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn tree(id: &str) -> String {
    format!("<BehaviorTree ID=\"{id}\"><AlwaysSuccess/></BehaviorTree>")
}

#[test]
fn includes_are_followed_inside_the_folder_and_once() {
    let include = |path: &str| format!("<include path=\"{path}\"/>");
    let main =
        format!("<root>\n{}\n{}{}</root>", tree("A"), include("sub/b.xml"), include("c.xml"));
    let b = format!("<root>{}{}</root>", include("../c.xml"), tree("B"));
    let c = format!("<root>{}</root>", tree("C"));
    let folder = folder(&[("main.xml", &main), ("sub/b.xml", &b), ("c.xml", &c)]);
    let document = read(&folder.path().join("main.xml")).unwrap();
    let found: Vec<_> =
        document.trees.iter().map(|tree| (tree.id.as_str(), tree.at.line)).collect();
    assert_eq!(found, [("A", 2), ("B", 3), ("C", 3)], "line 3 is that of the include");
    let error = read_text(Format::Xml, &main, Path::new("main.xml"));
    assert_eq!(problems(error)[0].code, "includes");
}

#[test]
fn includes_that_leave_return_or_fail_are_told() {
    let include = |path: &str| format!("<include path=\"{path}\"/>");
    let a = format!("<root>{}\n{}\n{}</root>", tree("A"), include("b.xml"), include("none.xml"));
    let b = format!("<root>{}</root>", include("main.xml"));
    let folder = folder(&[
        ("in/main.xml", &a),
        ("in/b.xml", &b),
        ("out.xml", &format!("<root>{}</root>", tree("X"))),
        ("in/out.xml", &format!("<root>{}</root>", include("../out.xml"))),
        ("in/broken.xml", &format!("<root>{}</root>", include("bad.xml"))),
        ("in/bad.xml", "<root>\n<x/></root>"),
    ]);
    let result = |name: &str| read(&folder.path().join("in").join(name)).unwrap_err().to_string();
    assert!(result("main.xml").contains("b.xml:1:7: `main.xml` includes itself"));
    assert!(result("out.xml").contains("outside the folder"));
    assert!(result("broken.xml").contains("bad.xml:2:1: <x> in <root>"));
    fs::write(folder.path().join("in/b.xml"), "<root/>").unwrap();
    assert!(result("main.xml").contains("main.xml:3:1: cannot include `none.xml`"));
    #[cfg(unix)]
    {
        let link = folder.path().join("in/link.xml");
        std::os::unix::fs::symlink(folder.path().join("out.xml"), link).unwrap();
        let text = format!("<root>{}</root>", include("link.xml"));
        fs::write(folder.path().join("in/to_link.xml"), text).unwrap();
        assert!(result("to_link.xml").contains("outside the folder"));
    }
}

/// Found by fuzzing: such an id was read, and refused in the model that was written for it.
#[test]
fn the_id_of_a_call_is_one_that_a_tree_can_have() {
    for id in ["Sub.", "a b", "root"] {
        let text = format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><SubTree ID=\"{id}\"/>\
             </BehaviorTree></root>"
        );
        let error = read_text(Format::Xml, &text, Path::new("input")).unwrap_err().to_string();
        assert!(error.contains("the id of a called tree"), "{error}");
    }
}
