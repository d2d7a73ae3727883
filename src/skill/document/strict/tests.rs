//! Each rule of contract 1.1 of the SKILL.md dialects, as the reference validator has it.

use super::*;
use crate::skill::document::Severity;

/// Codes and lines of what is found in a SKILL.md in the folder `dir`.
fn found(dir: &str, text: &str) -> Vec<(&'static str, u32)> {
    let found = strict(&Path::new(dir).join("SKILL.md"), text.as_bytes(), dir);
    found.iter().map(|found| (found.code, found.line)).collect()
}

fn named(name: &str) -> Vec<(&'static str, u32)> {
    found(name, &format!("---\nname: {name}\ndescription: d\n---\n"))
}

/// The fields of `front` after a good name and description.
fn with(front: &str) -> Vec<(&'static str, u32)> {
    found("x", &format!("---\nname: x\ndescription: d\n{front}\n---\n"))
}

/// Lower-case letters of any script, digits and hyphens; 64 of them; compared in NFKC.
#[test]
fn names_are_unicode_lower_case() {
    let longest = "a".repeat(64);
    for good in ["x", "pdf-2-text", "技能", "мой-навык", "42", "yes", &longest] {
        assert_eq!(named(good), [], "{good}");
    }
    let long = "a".repeat(65);
    for bad in ["Night", "a--b", "-a", "a-", "a_b", "a b", "a.b", "Ёж", &long] {
        assert_eq!(named(bad), [("strict-name", 2)], "{bad}");
    }
    // The full-width form is the same name; another folder is another.
    assert_eq!(found("cafe", "---\nname: ｃafe\ndescription: d\n---\n"), []);
    let other = "---\nname: tea\ndescription: d\n---\n";
    assert_eq!(found("cafe", other), [("strict-directory", 2)]);
    assert_eq!(found("cafe", "---\ndescription: d\n---\n"), [("strict-name", 1)]);
}

/// 1 to 1024 characters, not all blank.
#[test]
fn descriptions_have_at_most_1024_characters() {
    let of = |text: &str| found("x", &format!("---\nname: x\ndescription: {text}\n---\n"));
    assert_eq!(of(&"日".repeat(1024)), []);
    assert_eq!(of(&"d".repeat(1025)), [("strict-description", 3)]);
    assert_eq!(of("'  '"), [("strict-description", 3)]);
    assert_eq!(found("x", "---\nname: x\n---\n"), [("strict-description", 1)]);
}

/// Six fields and no others; `compatibility` of 1 to 500 characters; flat `metadata`.
#[test]
fn fields_are_the_six_of_the_standard() {
    let all = "license: MIT\ncompatibility: c\nmetadata:\n  a: b\nallowed-tools: Read";
    assert_eq!(with(all), []);
    assert_eq!(with("license: MIT\nversion: 1"), [("strict-field", 5)]);
    assert_eq!(with(&format!("compatibility: {}", "c".repeat(500))), []);
    let long = format!("compatibility: {}", "c".repeat(501));
    assert_eq!(with(&long), [("strict-compatibility", 4)]);
    assert_eq!(with("metadata:\n  a:\n    b: c"), [("strict-metadata", 4)]);
}

/// Legal YAML that the validator's own parser refuses.
#[test]
fn yaml_is_plain() {
    assert_eq!(with("allowed-tools: [Read]"), [("strict-flow", 4)]);
    assert_eq!(with("metadata: {a: b}"), [("strict-flow", 4)]);
    assert_eq!(with("license: &l MIT\ncompatibility: *l")[0], ("strict-anchor", 4));
    assert_eq!(with("license: !!str MIT"), [("strict-tag", 4)]);
    let twice = with("license: MIT\nlicense: MIT");
    assert!(twice.contains(&("strict-duplicate-key", 5)), "{twice:?}");
    assert_eq!(with("license: 'open")[0].0, "strict-yaml");
    assert_eq!(found("x", "---\n- a\n---\n")[0].0, "strict-yaml");
}

/// The file begins with `---` and is cut at the next one, wherever it stands; a byte-order mark
/// hides the first, CRLF does no harm.
#[test]
fn fences_are_where_the_validator_sees_them() {
    let good = "---\nname: x\ndescription: d\n---\nBody.\n";
    assert_eq!(found("x", good), []);
    assert_eq!(found("x", &good.replace('\n', "\r\n")), []);
    assert_eq!(found("x", &format!("\u{FEFF}{good}")), [("strict-bom", 1)]);
    assert_eq!(found("x", &format!("\n{good}")), [("strict-no-frontmatter", 1)]);
    assert_eq!(found("x", "---\nname: x\ndescription: d\n"), [("strict-unclosed", 1)]);
    let dashes = strict(Path::new("x/SKILL.md"), b"---\nname: x\ndescription: a --- b\n---\n", "x");
    let told: Vec<_> = dashes.iter().map(|d| (d.code, d.line, d.severity)).collect();
    assert_eq!(told, [("strict-split", 3, Severity::Warning)]);
    let latin = strict(Path::new("x/SKILL.md"), b"---\nname: \xE9\n---\n", "x");
    assert_eq!(latin[0].code, "strict-encoding");
}
