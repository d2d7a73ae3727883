use super::*;

fn git(folder: &Path, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let output =
        Command::new("git").args(identity).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A repository with two commits, the first of which has the tag `v1`; gives both.
fn repository(folder: &Path) -> [String; 2] {
    git(folder, &["init", "--quiet", "--initial-branch=main"]);
    ["one", "two"].map(|text| {
        std::fs::create_dir_all(folder.join("skills/walk")).unwrap();
        std::fs::write(folder.join("skills/walk/SKILL.md"), text).unwrap();
        git(folder, &["add", "."]);
        git(folder, &["commit", "--quiet", "-m", text]);
        if text == "one" {
            git(folder, &["tag", "v1"]);
        }
        git(folder, &["rev-parse", "HEAD"])
    })
}

#[test]
#[expect(clippy::print_stderr, reason = "says that it is skipped")]
fn a_branch_a_tag_and_a_commit_are_found_and_a_kept_commit_needs_no_repository() {
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no git");
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let (origin, cache) = (root.path().join("origin"), root.path().join("cache"));
    std::fs::create_dir(&origin).unwrap();
    let [first, second] = repository(&origin);
    let fetch = |revision: &str, folder: &str| {
        let source = format!("git+file://{}@{revision}{folder}", origin.display());
        GitSource::parse(&source).unwrap().unwrap().fetch(&cache)
    };
    let text =
        |fetched: &Fetched| std::fs::read_to_string(fetched.folder.join("walk/SKILL.md")).unwrap();
    for (revision, commit, expected) in
        [("main", &second, "two"), ("v1", &first, "one"), (first.as_str(), &first, "one")]
    {
        let fetched = fetch(revision, "#skills").unwrap();
        assert_eq!((&fetched.commit, text(&fetched).as_str()), (commit, expected), "{revision}");
    }
    let told = |found: Result<Fetched, HostError>| found.unwrap_err().to_string();
    assert!(told(fetch("main", "#tools")).contains("has no folder 'tools'"));
    assert!(told(fetch("no-such", "")).contains("no-such"));
    let left: Vec<_> = std::fs::read_dir(&cache).unwrap().flatten().collect();
    assert_eq!(left.len(), 2, "one folder per commit and nothing half done: {left:?}");
    std::fs::remove_dir_all(&origin).unwrap();
    assert_eq!(text(&fetch(&second, "#skills").unwrap()), "two");
    assert!(fetch("main", "").is_err(), "a branch is asked for each time");
}

#[test]
fn what_is_no_source_is_refused_with_the_reason() {
    let parse = |source: &str| GitSource::parse(source).unwrap();
    for (source, reason) in [
        ("git+http://host/a@main", "must begin with https://"),
        ("git+ext::sh@main", "must begin with https://"),
        ("git+https://host/a", "a revision is missing"),
        ("git+ssh://git@host/a", "a revision is missing"),
        ("git+https://host/a@--upload-pack=x", "no branch, tag or commit"),
        ("git+https://host/a@main#../b", "must lie inside"),
        ("git+https://me:secret@host/a@main", "a password in the URL"),
    ] {
        let error = parse(source).unwrap_err().to_string();
        assert!(error.contains(reason) && !error.contains("secret"), "{source}: {error}");
    }
    assert!(GitSource::parse("skills").is_none());
    let source = parse("git+ssh://git@host/a.git@v1#skills/mine").unwrap();
    assert_eq!((source.url.as_str(), source.revision.as_str()), ("ssh://git@host/a.git", "v1"));
}
