//! Right answers: the contract's list of slips that are forgiven (argv tolerance).

use super::*;

fn call(items: &[&str]) -> Result<Call, String> {
    parse(&items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>())
}

fn command(items: &[&str]) -> Command {
    match call(items) {
        Ok(Call::Command(command)) => command,
        other => panic!("{items:?}: {other:?}"),
    }
}

fn date() -> Date {
    jiff::civil::date(2026, 3, 2)
}

#[test]
fn hooks_are_the_exact_pair_or_nothing() {
    assert_eq!(call(&[]), Ok(Call::Hook(None)));
    assert_eq!(call(&["daily-guidance"]), Ok(Call::Hook(None)));
    assert_eq!(call(&["--args-json", "{}"]), Ok(Call::Hook(Some("{}".to_owned()))));
    let plan = Command::Plan { date: None, json: "{}".to_owned() };
    assert_eq!(command(&["plan", "--args-json", "{}"]), plan);
    assert_eq!(command(&["DAILY_GUIDANCE", "--args-json", "{}"]), plan);
    assert_eq!(command(&["plan", "--json={}"]), plan);
}

#[test]
fn bare_dates_are_understood() {
    let init = Command::Init { date: date(), story_file: None, force: true };
    assert_eq!(command(&["2026-03-02", "init", "--force"]), init);
    assert_eq!(command(&["--force", "init", "2026-03-02"]), init);
    let check = Command::Check { date: Some(date()), path: None };
    assert_eq!(command(&["check", "--date", "2026-03-02", "2026-03-02"]), check);
    let file = Command::Check { date: None, path: Some("a/story.yaml".to_owned()) };
    assert_eq!(command(&["check", "a/story.yaml"]), file);
    assert!(call(&["current", "--date", "2026-03-02", "2026-03-03"]).is_err());
}

#[test]
fn commands_are_inferred_from_their_options() {
    assert_eq!(command(&["--date", "2026-03-02"]), Command::Current);
    assert_eq!(command(&["2026-03-02"]), Command::Current);
    assert_eq!(command(&["--format", "full"]), Command::Show { detail: Detail::Full });
    let revise = Command::Revise { from: "a".to_owned(), json: "[]".to_owned() };
    assert_eq!(command(&["--json", "[]", "--from", "a"]), revise);
    let deviate = Command::Deviate { deviation: Deviation::Carryover, reason: "r".to_owned() };
    assert_eq!(command(&["--reason", "r", "--type", "carryover"]), deviate);
    // A word that is an option's value is no command.
    let record =
        Command::Record { activity: "plan".to_owned(), location: "show".to_owned(), note: None };
    assert_eq!(command(&["--activity", "plan", "--location", "show"]), record);
    // argparse takes the beginning of an option's name where it is no other's.
    assert_eq!(command(&["--act", "plan", "--loc", "show"]), record);
    assert!(call(&["record", "--a", "plan", "--loc", "show"]).unwrap_err().contains("--a;"));
}

#[test]
fn notes_and_json_are_joined_again() {
    let record =
        command(&["record", "--note", "two", "words", "--activity", "meal", "--location", "café"]);
    let expected = Command::Record {
        activity: "meal".to_owned(),
        location: "café".to_owned(),
        note: Some("two words".to_owned()),
    };
    assert_eq!(record, expected);
    let split = ["revise", "--json", "[{\"id\":", "\"a\"},", "{\"b\":", "\"--c\"}]", "--from", "a"];
    let expected = Command::Revise {
        from: "a".to_owned(),
        json: "[{\"id\": \"a\"}, {\"b\": \"--c\"}]".to_owned(),
    };
    assert_eq!(command(&split), expected);
    // What never becomes JSON is passed on up to the next option, for the command to complain of.
    let broken = Command::Revise { from: "a".to_owned(), json: "{not json".to_owned() };
    assert_eq!(command(&["revise", "--json", "{not", "json", "--from", "a"]), broken);
}

#[test]
fn wrong_use_says_what_is_wrong() {
    for (items, part) in [
        (&["current", "--bogus", "1"][..], "--bogus"),
        (&["fly"], "instead of 'fly'"),
        (&["plan"], "--json"),
        (&["plan", "--json"], "--json"),
        (&["init"], "--date"),
        (&["init", "--date", "../../etc"], "YYYY-MM-DD"),
        (&["init", "--date", "2026-02-30"], "YYYY-MM-DD"),
        (&["deviate", "--type", "flee", "--reason", "r"], "record_only"),
        (&["show", "--format", "xml"], "summary"),
        (&["current", "--force"], "--force"),
        (&["current", "--note", "x"], "--note"),
        (&["record", "--activity", "a", "b", "--location", "c"], "'b'"),
        (&["", ""], "command"),
    ] {
        let error = call(items).unwrap_err();
        assert!(error.contains(part), "{items:?}: {error}");
    }
    assert_eq!(call(&["plan", "-h"]), Ok(Call::Help));
}
