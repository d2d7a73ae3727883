//! Whole scenarios: the good ones load, the broken ones say where and why.

use std::path::{Path, PathBuf};

use super::spec::ModelKind;
use super::*;
use crate::base::rng::{Purpose, Stream};

fn scenarios() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

const NAMES: [&str; 3] = ["daily_mobility", "zurich_commuters", "synthetic_city"];

fn text_of(name: &str) -> String {
    std::fs::read_to_string(scenarios().join(name).join("scenario.yaml")).unwrap()
}

fn check(name: &str, text: &str, overrides: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let overrides: Vec<_> =
        overrides.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let path = scenarios().join(name).join("scenario.yaml");
    Scenario::from_bytes(text.as_bytes(), &path, &overrides)
}

/// Errors of a broken text as `line:column message | help`.
fn complaints(name: &str, text: &str) -> Vec<String> {
    let error = check(name, text, &[]).expect_err("the text is broken");
    let shown = |one: &Diagnostic| {
        let help = one.help.clone().unwrap_or_default();
        format!("{}:{} {} | {help}", one.line, one.column, one.message)
    };
    error.diagnostics().iter().map(shown).collect()
}

#[test]
fn the_scenarios_of_the_repository_load_without_a_warning() {
    for name in NAMES {
        let scenario = Scenario::load(&scenarios().join(name), &[]).unwrap();
        assert_eq!(scenario.spec.name, name);
        assert_eq!(scenario.warnings, []);
        assert_eq!(scenario.clock().end().0, 86_400);
        assert_eq!(scenario.output_dir(), Path::new(&format!("runs/{name}-1")));
        assert_eq!(scenario.hash.len(), 64);
    }
}

/// A scenario written out in full, defaults included, is the same scenario.
#[test]
fn a_scenario_survives_being_written_out() {
    for name in NAMES.into_iter().chain(ModelKind::KEYS) {
        let scenario = check(name, &text_of(name), &[]).unwrap();
        let again = check(name, &scenario.to_json().to_string(), &[]).unwrap();
        assert_eq!(again.spec, scenario.spec);
        assert_eq!(again.hash, scenario.hash);
    }
}

#[test]
fn the_hash_follows_what_matters_and_nothing_else() {
    let name = "synthetic_city";
    let hash = |text: &str, overrides: &[(&str, &str)]| check(name, text, overrides).unwrap().hash;
    let text = text_of(name);
    let base = hash(&text, &[]);
    assert_eq!(base, hash(&format!("# a comment\n{text}"), &[]));
    assert_eq!(base, hash(&text, &[("outputs.dir", "elsewhere")]));
    assert_eq!(base, hash(&text, &[("records.log", "changed")]));
    assert_ne!(base, hash(&text, &[("records.log", "all")]));
    assert_ne!(base, hash(&text, &[("seed", "2")]));
}

/// The committed schema is the generated one. `UPDATE_SCHEMA=1` writes it.
#[test]
fn the_committed_schema_is_current() {
    let path = scenarios().join("schema.json");
    let current = format!("{:#}\n", schema());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == current, "scenarios/schema.json is old: run with UPDATE_SCHEMA=1");
}

/// Every key of the schema has a description: it is the reference of the YAML.
#[test]
fn every_key_of_the_schema_is_described() {
    fn visit(node: &serde_json::Value, at: &str, bare: &mut Vec<String>) {
        for (name, property) in node["properties"].as_object().into_iter().flatten() {
            let described =
                property.get("description").is_some() || property.get("const").is_some();
            if !described {
                bare.push(format!("{at}/{name}"));
            }
        }
        match node {
            serde_json::Value::Object(map) => {
                map.iter().for_each(|(key, below)| visit(below, &format!("{at}/{key}"), bare));
            }
            serde_json::Value::Array(list) => list.iter().for_each(|below| visit(below, at, bare)),
            _ => {}
        }
    }
    let mut bare = Vec::new();
    visit(&schema(), "", &mut bare);
    assert!(bare.is_empty(), "no description: {bare:?}");
}

/// Eleven mistakes of nine kinds, all reported at once, each where it stands (lines and columns
/// counted by hand).
#[test]
fn all_mistakes_come_at_once_with_line_column_and_hint() {
    let text = "\
name: Bad Name
clock:
  start: 2026-13-02T03:00:00
  tick: 300
  ticks: 0
population:
  source: sinthetic
  persons: 100
environment:
  city:
    source: grid
    zone_m: wide
    colour: red
  network: { kind: om }
records:
  tables: [steps, trip]
log: all
seed: 1
seed: 2
";
    let expected = [
        "1:7 expected text of the form `^[a-z0-9_-]{1,64}$` for `name`, found `Bad Name` \
         | `name`: Name of the scenario: 1 to 64 of `a` to `z`, `0` to `9`, `_` and `-`",
        "3:10 expected a date and time such as `2026-03-02T03:00:00` for `clock.start`, \
         found `2026-13-02T03:00:00` | `clock.start`: Date and time of day at which the run \
         starts, such as `2026-03-02T03:00:00`",
        "4:3 unknown key `tick` in `clock` | did you mean `tick_s`?",
        "5:10 expected 1 to 4294967294 for `clock.ticks`, found `0` | `clock.ticks`: Number of \
         ticks",
        "7:11 `sinthetic` is not allowed for `population.source`: allowed are `synthetic` or \
         `table` | did you mean `synthetic`?",
        "12:13 expected a number for `environment.city.zone_m`, found `wide` \
         | `environment.city.zone_m`: Side of a zone in metres",
        "13:5 unknown key `colour` in `environment.city` | the keys here are `source`, `zones_x`, \
         `zones_y`, `zone_m`, `origin`, `totals` or `places_per_kind_max`",
        "14:20 `om` is not allowed for `environment.network.kind`: allowed are `none`, `grid` or \
         `osm` | did you mean `osm`?",
        "16:19 `trip` is not allowed for `records.tables.1`: allowed are `default`, `persons`, \
         `places`, `steps`, `stays`, `trips`, `legs`, `stories`, `workspace`, `hooks`, \
         `failures`, `metrics`, `needs`, `messages`, `bt_trace`, `skill_results`, \
         `model_metrics` or `model_agents` | did you mean `trips`?",
        "17:1 unknown key `log` | `log` is a key of `records`",
        "19:1 key `seed` stands twice | it stands in line 18 already",
    ];
    let found = complaints("synthetic_city", text);
    assert_eq!(found, expected, "{found:#?}");
}

/// The chosen variant of a tagged union is what complaints are about, never "no variant matches".
#[test]
fn complaints_point_into_the_chosen_variant() {
    let broken = |from: &str, to: &str| {
        let text = text_of("daily_mobility");
        assert!(text.contains(from), "{from}");
        complaints("daily_mobility", &text.replacen(from, to, 1))
    };
    let found = broken("      zone: home_zone_id\n", "");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("missing key `zone` in `population.households.columns`"),
        "{found:?}"
    );
    let found = broken("source: table", "source: synthetic");
    assert!(found.iter().any(|one| one.contains("goes with `source: table`")), "{found:?}");
    let found = broken("  source: table\n", "");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("missing key `source` in `population`"), "{found:?}");
    assert!(found[0].contains("`synthetic` or `table`"), "{found:?}");
    let found = broken("        area_unit: acres", "        area_unit: acre");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("did you mean `acres`?"), "{found:?}");
    let found = broken("        area: TOTACRE", "        area: 5");
    assert!(found[0].contains("expected text or a list"), "{found:?}");
}

/// A scenario, overrides that break it, a part of the message and of the line shown.
type Disagreement =
    (&'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

/// What no schema can say: each change of a good scenario gives exactly one complaint, here.
#[test]
fn keys_must_agree_with_each_other() {
    let cases: &[Disagreement] = &[
        ("synthetic_city", &[("clock.until", "2026-03-02T03:07:00")], "whole number", "until"),
        ("synthetic_city", &[("clock.until", "2026-03-02T02:00:00")], "not after", "until"),
        (
            "synthetic_city",
            &[("records.checkpoint", "{}")],
            "missing key `every_ticks`",
            "checkpoint",
        ),
        (
            "synthetic_city",
            &[("records.checkpoint", "{every_ticks: 9, every_min: 1}")],
            "both `every_ticks`",
            "checkpoint",
        ),
        ("synthetic_city", &[("clock.start", "2026-03-02T03:00:00.5")], "fraction", "start"),
        ("synthetic_city", &[("clock.start", "9999-12-31T03:00:00")], "year 9999", "ticks"),
        (
            "synthetic_city",
            &[("clock.ticks", "4294967294"), ("clock.tick_s", "86400")],
            "expected less than",
            "clock.ticks",
        ),
        ("synthetic_city", &[("population.household_size", "[0, 0]")], "all weights", "size"),
        (
            "synthetic_city",
            &[(
                "population.employment",
                "[{from: 20, to: 30, share: 1}, {from: 30, to: 40, share: 0}]",
            )],
            "overlap",
            "employment",
        ),
        (
            "synthetic_city",
            &[("population.age_pyramid", "[{from: 0, to: 9, weight: 1}]")],
            "no age band of 18",
            "age_pyramid",
        ),
        ("synthetic_city", &[("environment.city.zones_x", "900")], "at most 4096", "zones_y"),
        ("synthetic_city", &[("outputs.dir", "runs/{nam}")], "placeholder", "outputs.dir"),
        ("synthetic_city", &[("behaviour.needs.initial.hunger", "2")], "from 0 to 1", "hunger"),
        (
            "synthetic_city",
            &[("skills.disabled", "[x]"), ("skills.default_activated", "[x]")],
            "disabled",
            "skills",
        ),
        ("synthetic_city", &[("skills.roots", "[nowhere]")], "no folder", "roots"),
        ("zurich_commuters", &[("environment.network.file", "no.osm")], "no file", "file"),
        ("zurich_commuters", &[("environment.network.file", "..")], "not a file that", "file"),
        ("daily_mobility", &[("population.persons.file", "../x.csv")], "no file", "file"),
        ("daily_mobility", &[("behaviour.story.diary.trips", "a.txt")], "not a file", "trips"),
    ];
    for (name, overrides, message, key) in cases {
        let error = check(name, &text_of(name), overrides).expect_err(message);
        let [one] = error.diagnostics() else { panic!("{overrides:?}: {error}") };
        assert!(one.message.contains(message), "{overrides:?}: {error}");
        assert!(one.snippet.contains(key), "{overrides:?}: {error}");
    }
}

/// Options that do nothing are warned about, and do not stop the run.
#[test]
fn options_without_effect_are_warned_about() {
    let cases: &[(&str, &str, &str)] = &[
        ("records.sample_share", "0.5", "nothing is sampled"),
        ("records.workspace", "final", ""),
        ("environment.network.file", "x.osm", "without `kind: osm`"),
        ("environment.network.grid", "{}", "without `kind: grid`"),
    ];
    for (path, value, message) in cases {
        let scenario =
            check("synthetic_city", &text_of("synthetic_city"), &[(path, value)]).unwrap();
        let warned: Vec<_> = scenario.warnings.iter().map(|one| one.message.as_str()).collect();
        match (*message, &warned[..]) {
            ("", []) => {}
            (message, [one]) if !message.is_empty() => assert!(one.contains(message), "{one}"),
            other => panic!("{path}: {other:?}"),
        }
    }
}

#[test]
fn clock_needs_an_end() {
    let text = text_of("synthetic_city").replace("  ticks: 288\n", "");
    let found = complaints("synthetic_city", &text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("`ticks` or `until`"), "{found:?}");
    let until = text.replace("tick_s: 300\n", "tick_s: 300\n  until: 2026-03-03T03:00:00\n");
    assert_eq!(check("synthetic_city", &until, &[]).unwrap().clock().tick_count(), 288);
}

/// What a mutation must lead to.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Outcome {
    Fails,
    MayLoad,
}

/// Breaks `text` in the `kind`-th way at a place drawn from `stream`. `None` if it cannot be
/// broken so.
fn mutate(text: &str, kind: u32, stream: &mut Stream) -> Option<(Vec<u8>, Outcome)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut draw = |count: usize| stream.bits() as usize % count.max(1);
    let is_key = |line: &str| {
        let plain = line.trim_start();
        plain
            .split_once(": ")
            .is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
    };
    let keys: Vec<usize> = (0..lines.len()).filter(|n| is_key(lines[*n])).collect();
    let at = keys[draw(keys.len())];
    let key = lines[at].split_once(':')?.0;
    let with = |n: usize, line: &str| {
        let mut changed = lines.clone();
        changed[n] = line;
        changed.join("\n").into_bytes()
    };
    let line_with = |key: &str| lines.iter().position(|line| line.trim_start().starts_with(key));
    match kind {
        // A required key goes.
        0 => {
            let required = ["name:", "start:", "tick_s:", "source:", "ticks:"];
            let at = line_with(required[draw(required.len())])?;
            Some((with(at, ""), Outcome::Fails))
        }
        // A key gets a typo.
        1 => Some((with(at, &lines[at].replacen(key, &format!("{key}x"), 1)), Outcome::Fails)),
        // A value gets another type: no key takes a list of maps of this kind.
        2 => Some((with(at, &format!("{key}: [{{zzz: 1}}]")), Outcome::Fails)),
        // A number leaves its range.
        3 => {
            let (name, values) = [
                ("tick_s", ["0", "86401"]),
                ("ticks", ["-1", "5000000000"]),
                ("seed", ["-7", "1e30"]),
            ][draw(3)];
            let at = line_with(name)?;
            let indent = lines[at].len() - lines[at].trim_start().len();
            let line = format!("{}{name}: {}", &lines[at][..indent], values[draw(2)]);
            Some((with(at, &line), Outcome::Fails))
        }
        // An indentation goes wrong.
        4 => {
            Some((with(at, &format!("{}{}", " ".repeat(draw(7) + 1), lines[at])), Outcome::MayLoad))
        }
        // A key stands twice.
        5 => Some((with(at, &format!("{0}\n{0}", lines[at])), Outcome::Fails)),
        // A word is unknown.
        6 => {
            let known = ["source:", "log:", "kind:", "area_unit:", "bad_rows:", "workspace:"];
            let at = line_with(known[draw(known.len())])?;
            let key = lines[at].split_once(':')?.0;
            Some((with(at, &format!("{key}: qqq")), Outcome::Fails))
        }
        // The file ends early.
        7 => Some((text.as_bytes()[..draw(text.len())].to_vec(), Outcome::MayLoad)),
        // A byte goes wrong.
        _ => {
            let mut bytes = text.as_bytes().to_vec();
            let at = draw(bytes.len());
            bytes[at] = draw(256) as u8;
            Some((bytes, Outcome::MayLoad))
        }
    }
}

/// 300 broken scenarios: none panics; each that fails says at which line of the file, and renders;
/// each that must fail does.
#[test]
fn broken_scenarios_fail_with_a_line_and_never_panic() {
    let (mut tried, mut failed) = (0_u32, 0_u32);
    for index in 0.. {
        if tried == 300 {
            break;
        }
        let mut stream = Stream::of_index(20_260_302, index, Purpose::Script);
        let name = NAMES[index as usize % NAMES.len()];
        let text = text_of(name);
        let Some((bytes, outcome)) = mutate(&text, index / 3 % 9, &mut stream) else { continue };
        tried += 1;
        let path = scenarios().join(name).join("scenario.yaml");
        match Scenario::from_bytes(&bytes, &path, &[]) {
            Ok(_) => assert_eq!(outcome, Outcome::MayLoad, "{}", String::from_utf8_lossy(&bytes)),
            Err(error) => {
                failed += 1;
                let lines = bytes.split(|byte| *byte == b'\n').count() as u32;
                assert!(!error.diagnostics().is_empty());
                for one in error.diagnostics() {
                    assert!((1..=lines).contains(&one.line), "{one:?}");
                    assert!(one.column >= 1 && one.width >= 1, "{one:?}");
                    assert!(!one.message.is_empty() && !one.message.contains("oneOf"), "{one:?}");
                    assert!(one.render().contains(&format!("scenario.yaml:{}:", one.line)));
                }
            }
        }
    }
    assert!(failed >= 200, "only {failed} of {tried} failed");
}

#[test]
fn files_too_large_or_not_text_are_refused() {
    let path = Path::new("scenario.yaml");
    for (bytes, word) in [(vec![b'#'; (1 << 20) + 1], "bytes"), (b"name: \xff".to_vec(), "UTF-8")] {
        let error = Scenario::from_bytes(&bytes, path, &[]).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    }
    let missing = Scenario::load(Path::new("no/such/folder"), &[]).unwrap_err();
    assert!(matches!(missing, ScenarioError::Io { .. }) && missing.diagnostics().is_empty());
}
