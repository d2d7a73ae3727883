use super::*;

fn bay_area() -> DiaryFiles {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/data/bay_area_diary");
    DiaryFiles::in_folder(&folder, "csv.gz")
}

/// Counts recounted from the published files with a one-line script: 5,269 persons, 17,606 trips,
/// 657 persons without a trip; purposes with `atwork` split 439 eat, 77 maint, 107 business.
#[test]
fn the_bay_area_diary_loads_as_it_is() {
    let days = load_diary(&bay_area(), &ColumnNames::new()).unwrap();
    assert_eq!(days.len(), 5_269);
    assert!(days.windows(2).all(|pair| pair[0].person < pair[1].person));
    let trips: Vec<&DiaryTrip> = days.iter().flat_map(|day| &day.trips).collect();
    assert_eq!(trips.len(), 17_606);
    assert_eq!(days.iter().filter(|day| day.trips.is_empty()).count(), 657);
    let count = |purpose| trips.iter().filter(|trip| trip.purpose == purpose).count();
    assert_eq!(count(Activity::Home), 6_359);
    assert_eq!(count(Activity::Work), 2_592 + 623 + 107);
    assert_eq!(count(Activity::School), 873 + 166);
    assert_eq!(count(Activity::Eat), 844 + 439);
    assert_eq!(count(Activity::Other), 1_034 + 77);
    let workers = days.iter().filter(|day| day.role == Role::FullTimeWorker).count();
    assert_eq!(workers, 2_111);
    for day in &days {
        assert!(day.trips.is_sorted_by_key(|trip| trip.depart_min), "{day:?}");
        assert!(day.trips.last().is_none_or(|trip| trip.purpose == Activity::Home), "{day:?}");
    }
}

/// Truth by construction: each trip must begin in the zone where the one before it ended.
#[test]
fn every_chain_of_the_diary_is_continuous() {
    let files = bay_area();
    let names = ColumnNames::new();
    let households = read_households(&files.households, &names).unwrap();
    let days = read_persons(&files.persons, &names, &households).unwrap();
    let chains = read_chains(&files, &names, &days).unwrap();
    assert_eq!(chains.values().map(Vec::len).sum::<usize>(), 17_606);
    for (person, chain) in chains {
        for pair in chain.windows(2) {
            assert_eq!(pair[0].destination, pair[1].origin, "person {person}: {chain:#?}");
        }
    }
}

fn trip(tour: i64, outbound: bool, number: u16, purpose: Activity, depart_h: u16) -> TourTrip {
    TourTrip { tour, outbound, number, purpose, depart_h, origin: 0, destination: 0 }
}

#[test]
fn lunch_lies_between_the_ways_to_and_from_work() {
    use Activity::{Eat, Home, Shop, Work};
    let tours = [
        Tour { id: 1, parent: Some(9), start_h: 11, end_h: 11 },
        Tour { id: 9, parent: None, start_h: 8, end_h: 17 },
        Tour { id: 4, parent: None, start_h: 17, end_h: 17 },
    ];
    let trips = [
        trip(1, true, 1, Eat, 11),
        trip(1, false, 1, Work, 11),
        trip(4, false, 1, Home, 17),
        trip(4, true, 1, Shop, 17),
        trip(9, false, 2, Home, 16),
        trip(9, false, 1, Shop, 17),
        trip(9, true, 1, Work, 8),
    ];
    let chain: Vec<(Activity, u16)> =
        chain_trips(&tours, &trips).iter().map(|t| (t.purpose, t.depart_h)).collect();
    let expected =
        [(Work, 8), (Eat, 11), (Work, 11), (Shop, 17), (Home, 17), (Shop, 17), (Home, 17)];
    assert_eq!(chain, expected);
}

#[test]
fn halves_are_even_and_depend_on_the_household_only() {
    let days = load_diary(&bay_area(), &ColumnNames::new()).unwrap();
    let mut households: Vec<i64> = days.iter().map(|day| day.household).collect();
    households.sort_unstable();
    households.dedup();
    assert_eq!(households.len(), 2_000);
    let in_a = households.iter().filter(|id| half_of(**id) == Half::A).count();
    // Binomial(2000, 1/2): four standard deviations are 89.
    assert!((911..=1_089).contains(&in_a), "{in_a}");
}

#[test]
fn a_broken_value_is_named_by_file_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(format!("{name}.csv")), text).unwrap();
    };
    write("households", "household_id,hhsize,auto_ownership,num_workers,income\n7,1,0,1,100\n");
    let header = "person_id,household_id,age,sex,kind,workplace_zone_id,school_zone_id\n";
    write("persons", &format!("{header}1,7,40,1,1.0,5,-1\n2,7,140,1,1,5,-1\n"));
    write("tours", "tour_id,tour_type,parent_tour_id,start,end\n1,work,,8.0,17.0\n");
    write("trips", "person_id\n1\n");
    let files = DiaryFiles::in_folder(folder.path(), "csv");
    let mut names = ColumnNames::new();
    let message = |names: &ColumnNames| load_diary(&files, names).unwrap_err().to_string();
    assert!(message(&names).contains("persons.csv:1: no column 'ptype'"), "{}", message(&names));
    names.insert("ptype".into(), "kind".into());
    let text = message(&names);
    assert!(text.contains("persons.csv:3: column 'age': found '140'"), "{text}");
    write("persons", &format!("{header}1,8,40,1,1,5,-1\n"));
    assert!(message(&names).contains("found '8', expected a household"), "{}", message(&names));
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(0_u8.., 0..400)) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["households", "persons", "tours", "trips"] {
            std::fs::write(folder.path().join(format!("{name}.csv")), &bytes).unwrap();
        }
        let files = DiaryFiles::in_folder(folder.path(), "csv");
        proptest::prop_assert!(load_diary(&files, &ColumnNames::new()).is_err());
    }
}
