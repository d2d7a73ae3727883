//! Tables: the diary, faults by line, row order, garbage.

use super::*;

/// Counts recounted from the files with `cut -d, -f8 | sort | uniq -c` and `wc -l`.
#[test]
fn the_bay_area_diary_loads_as_it_is() {
    let raw = load_table(&bay_area()).unwrap();
    assert_eq!((raw.households().len(), raw.persons().len()), (2_000, 5_269));
    assert_eq!((raw.counts.clone(), raw.warnings.clone()), (BTreeMap::new(), Vec::new()));
    let people = assign(raw, &mut GridCity { zones: 1_500 }, 1).unwrap();
    let counted = [2_111, 496, 317, 700, 472, 154, 667, 352];
    for (role, count) in Role::ALL.iter().zip(counted) {
        assert_eq!(people.counts[&format!("role_{role}")], count, "{role}");
    }
    // Line 2 of the table of persons: 5385,5385,64,1,1,3,3,4,-1,-1,…
    let index = people.uid.iter().position(|uid| *uid == 5_385).unwrap();
    let person = people.persons[index];
    assert_eq!((person.age, person.sex, person.role), (64, Sex::Male, Role::NonWorker));
    assert_eq!((person.work, person.school), (PlaceId::NONE, PlaceId::NONE));
    // Household 1244122: zone 898, income 53,000, 5 members, 2 cars, 2 workers.
    let of = |uid: i64| people.household_uid.iter().position(|h| *h == uid).unwrap();
    let member = people.persons[of(1_244_122)];
    assert_eq!((member.income, member.household_size), (53_000.0, 5));
    assert_eq!((member.cars, member.household_workers), (2, 2));
    assert_eq!(member.home.0 / 10_000, 898);
}

/// Without the role column, employment and school zones tell nearly everybody's role: the file's
/// own person types were derived from age, employment and school by a similar rule.
#[test]
fn derived_roles_agree_with_the_diary() {
    let told = load_table(&bay_area()).unwrap();
    let mut params = bay_area();
    params.person_columns.role = None;
    params.person_columns.employment = some("pemploy");
    let codes = [
        ("1", Employment::FullTime),
        ("2", Employment::PartTime),
        ("3", Employment::None),
        ("4", Employment::None),
    ];
    params.codes.employment = codes.map(|(code, value)| (code.to_owned(), value)).into();
    let derived = load_table(&params).unwrap();
    let same = told.persons().iter().zip(derived.persons()).filter(|(a, b)| a.role == b.role);
    let share = same.count() as f64 / told.persons().len() as f64;
    assert!(share > 0.97, "{share}");
}

const HOUSEHOLDS: &str = "id,zone,income,cars\n1,1,50000,1\n2,2,-10,0\n3,-1,1e4,2\n";
const PERSONS: &str = "id,hh,age,sex,role,work,school\n\
    10,1,40,male,full_time_worker,3.0,-1\n\
    11,1,10,female,pupil,,4\n\
    12,2,70,other,retired,-1,-1\n\
    13,3,30,female,non_worker,-1,-1\n";

/// Every kind of bad row, each with its line; the good rows are kept under `skip`.
#[test]
fn broken_rows_are_named_and_counted() {
    let households = format!("{HOUSEHOLDS}4,1,rich,1\n2,1,0,0\n5,1,0,0\n6,1,0\nx,1,0,999\n");
    let persons = format!(
        "{PERSONS}14,99,30,male,retired,-1,-1\n15,1,121,male,retired,-1,-1\n\
         16,1,,male,retired,-1,-1\n17,1,30,m,king,-1,-1\n10,2,5,male,pupil,-1,-1\n\
         18,4,30,male,retired,-1,-1\n19,1,30,male,retired,near,-1\n"
    );
    let tables = Tables::new(households.as_bytes(), persons.as_bytes());
    let text = load_table(&tables.params()).unwrap_err().to_string();
    for expected in [
        "h.csv:5: column `income`: unreadable_value: found `rich`; allowed: a number",
        "h.csv:6: column `id`: duplicate_household: found `2`; allowed: a number of its own; \
         line 3 has the same",
        "h.csv:8: column `id`: row_length: found `3 cells`; allowed: 4 cells",
        "h.csv:9: column `cars`: unreadable_value: found `999`",
        "h.csv:9: column `id`: unreadable_value: found `x`",
        "p.csv:6: column `hh`: dangling_household: found `99`; allowed: a household of",
        "p.csv:7: column `age`: impossible_age: found `121`; allowed: a whole number of years",
        "p.csv:8: column `age`: missing_value: found nothing",
        "p.csv:9: column `role`: unknown_code: found `king`; allowed: driving_age_student, full_",
        "p.csv:9: column `sex`: unknown_code: found `m`; allowed: female, male, other",
        "p.csv:10: column `id`: duplicate_person: found `10`",
        "p.csv:12: column `work`: unreadable_value: found `near`; allowed: a zone number",
        "12 problems in population tables (",
    ] {
        assert!(text.contains(expected), "{expected}\n not in:\n{text}");
    }
    let params = TableParams { bad_rows: BadRows::Skip, ..tables.params() };
    let raw = load_table(&params).unwrap();
    let good = load_table(&Tables::new(HOUSEHOLDS.as_bytes(), PERSONS.as_bytes()).params());
    let good = good.unwrap();
    assert_eq!((raw.households(), raw.persons()), (good.households(), good.persons()));
    // Household 5 has no persons; person 18 lost the faulty household 4 through no fault of theirs.
    assert_eq!(raw.counts["households_without_persons"], 1);
    assert_eq!(raw.counts["persons_of_skipped_households"], 1);
    assert_eq!(raw.counts["bad_rows_unknown_code"], 2);
    assert!(raw.warnings.iter().any(|note| note.contains("2 of kind unknown_code")));
}

#[test]
fn a_household_without_persons_is_a_note() {
    let households = format!("{HOUSEHOLDS}4,1,0,0\n");
    let raw = load_table(&Tables::new(households.as_bytes(), PERSONS.as_bytes()).params());
    let raw = raw.unwrap();
    assert_eq!(raw.households().len(), 3);
    assert_eq!(raw.warnings, ["households without persons, left out: 1"]);
}

#[test]
fn zones_and_losses_read_as_documented() {
    let raw = load_table(&Tables::new(HOUSEHOLDS.as_bytes(), PERSONS.as_bytes()).params());
    let raw = raw.unwrap();
    let zones: Vec<_> = raw.households().iter().map(|h| (h.zone, h.income)).collect();
    assert_eq!(zones, [(Some(1), 50_000.0), (Some(2), -10.0), (None, 10_000.0)]);
    let work: Vec<_> = raw.persons().iter().map(|p| (p.work_zone, p.school_zone)).collect();
    assert_eq!(work, [(Some(3), None), (None, Some(4)), (None, None), (None, None)]);
}

fn rows_of(name: &str) -> (String, Vec<String>) {
    let mut text = String::new();
    let packed = std::fs::read(data(name)).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&packed[..]), &mut text)
        .unwrap();
    let mut lines = text.lines().map(str::to_owned);
    (lines.next().unwrap(), lines.collect())
}

/// The same table with its rows in another order gives the same people, agent by agent, also
/// after sampling and replication.
#[test]
fn the_order_of_rows_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let shuffled = |name: &str| {
        let (header, mut rows) = rows_of(name);
        let mut stream = Stream::of_index(5, 0, Purpose::Decide);
        for last in (1..rows.len()).rev() {
            rows.swap(last, stream.below(last as u32 + 1) as usize);
        }
        let path = folder.path().join(name);
        std::fs::write(&path, format!("{header}\n{}\n", rows.join("\n"))).unwrap();
        TableSource::Csv(path)
    };
    let other = TableParams {
        households: shuffled("households.csv.gz"),
        persons: shuffled("persons.csv.gz"),
        ..bay_area()
    };
    for agents in [None, Some(1_000), Some(12_000)] {
        let people = |params: &TableParams| {
            let source = PopulationSource::Table(Box::new(params.clone()));
            populate(&source, agents, None, 9, &mut GridCity { zones: 1_500 }).unwrap()
        };
        let (one, two) = (people(&bay_area()), people(&other));
        assert_eq!(one, two);
        assert_eq!(one.persons.len() as u64, agents.unwrap_or(5_269));
    }
}

/// Columns handed over by another reader give what the text file gives, and an empty cell is an
/// empty cell.
#[test]
fn columns_load_like_text() {
    let tables = Tables::new(HOUSEHOLDS.as_bytes(), PERSONS.as_bytes());
    let text = tables.params();
    let columns = |table: &str, path: &str| {
        let mut lines = table.lines().map(|line| line.split(','));
        let names: Vec<String> = lines.next().unwrap().map(str::to_owned).collect();
        let mut columns = vec![Vec::new(); names.len()];
        for line in lines {
            for (column, cell) in columns.iter_mut().zip(line) {
                column.push((!cell.is_empty()).then(|| cell.to_owned()));
            }
        }
        TableSource::Columns { path: path.into(), names, columns }
    };
    let binary = TableParams {
        households: columns(HOUSEHOLDS, "h.parquet"),
        persons: columns(PERSONS, "p.parquet"),
        ..text.clone()
    };
    let ids = |params| -> Vec<(i64, i64, u8)> {
        let raw = load_table(params).unwrap();
        raw.persons().iter().map(|person| (person.id, person.household, person.age)).collect()
    };
    assert_eq!(ids(&text), ids(&binary));
}

fn load_all_ways(households: &[u8], persons: &[u8]) {
    let tables = Tables::new(households, persons);
    for bad_rows in [BadRows::Error, BadRows::Skip] {
        let params = TableParams { bad_rows, ..tables.params() };
        let mut city = GridCity { zones: 10 };
        let loaded = load_table(&params)
            .and_then(|mut raw| check_zones(&mut raw, &city, bad_rows).map(|()| raw));
        match loaded {
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(raw) if raw.persons().is_empty() => {}
            Ok(raw) => {
                let people = assign(raw, &mut city, 1).unwrap();
                assert!(people.persons.iter().all(|person| person.age <= 120));
            }
        }
    }
}

/// A cell that is right, nearly right, or nonsense.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0_i32..6).prop_map(|number| number.to_string()),
        1 => (-200_i32..300).prop_map(|number| format!("{number}.0")),
        1 => prop::sample::select(vec!["", " ", "male", "pupil", "nan", "-", "1e400", "\"", "9e18"])
            .prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ]
}

fn table(columns: usize) -> impl Strategy<Value = String> {
    let row = prop::collection::vec(cell(), columns - 1..=columns);
    prop::collection::vec(row, 0..12).prop_map(|rows| {
        rows.iter().fold(String::new(), |mut text, row| {
            writeln!(text, "{}", row.join(",")).unwrap();
            text
        })
    })
}

fn few() -> ProptestConfig {
    ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn random_bytes_never_panic(
        households in prop::collection::vec(any::<u8>(), 0..300),
        persons in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        load_all_ways(&households, &persons);
    }

    #[test]
    fn random_rows_never_panic(households in table(4), persons in table(7)) {
        let households = format!("id,zone,income,cars\n{households}");
        let persons = format!("id,hh,age,sex,role,work,school\n{persons}");
        load_all_ways(households.as_bytes(), persons.as_bytes());
    }
}
