//! The file that zone totals come from: one row a zone, columns named by the scenario.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use super::error::EnvironmentError;
use super::zone::{Employment, ZONES_MAX, ZoneTotals};

/// Largest zone file, uncompressed; a file of [`ZONES_MAX`] rows has about 1 MiB.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// Square metres of an international acre.
pub const ACRE_M2: f64 = 4_046.856_422_4;

/// Unit of the area columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AreaUnit {
    /// International acres.
    Acres,
    /// Square metres.
    SquareMetres,
}

/// Which columns of a zone file hold what. Where several columns are named they are summed; where
/// none is named the total is 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneColumns {
    /// The zone's number.
    pub source_id: String,
    /// Households.
    pub households: Vec<String>,
    /// Persons.
    pub population: Vec<String>,
    /// Area.
    pub area: Vec<String>,
    /// Unit of the area.
    pub area_unit: AreaUnit,
    /// Jobs in retail trade.
    pub retail: Vec<String>,
    /// Jobs in financial and professional services.
    pub services: Vec<String>,
    /// Jobs in health, education and recreation.
    pub health_education_leisure: Vec<String>,
    /// Other jobs.
    pub other: Vec<String>,
    /// Jobs in agriculture.
    pub agriculture: Vec<String>,
    /// Jobs in manufacturing.
    pub manufacturing: Vec<String>,
    /// Pupils.
    pub school_enrolment: Vec<String>,
    /// Students.
    pub college_enrolment: Vec<String>,
}

/// Reads the totals of all zones from a table of comma-separated values with a header, plain or
/// gzip-compressed (told apart by the first two bytes). Sorted by zone number, so the order of
/// rows does not matter.
///
/// # Errors
/// Names file, line and column of the first problem: an unreadable file, a missing column, a value
/// that is not a number of at least 0, a zone number that occurs twice, too many zones, none.
pub fn read_zone_totals(
    path: &Path,
    columns: &ZoneColumns,
) -> Result<Vec<ZoneTotals>, EnvironmentError> {
    let bytes = read_bytes(path)
        .map_err(|source| EnvironmentError::ZoneFile { path: path.to_owned(), source })?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(&bytes[..]);
    let header = reader.headers().map_err(|error| not_a_table(path, 1, &error))?.clone();
    let layout = Layout::new(path, columns, &header)?;
    let mut line_of = BTreeMap::new();
    let mut totals = Vec::new();
    for record in reader.into_records() {
        let last_line = totals.len() as u64 + 1;
        let record = record.map_err(|error| not_a_table(path, last_line + 1, &error))?;
        let line = record.position().map_or(last_line + 1, csv::Position::line);
        let row = Row { path, line, header: &header, record: &record };
        let zone = layout.read(&row)?;
        if let Some(first_line) = line_of.insert(zone.source_id, line) {
            let (path, source_id) = (path.to_owned(), zone.source_id);
            return Err(EnvironmentError::DuplicateZone { path, line, first_line, source_id });
        }
        totals.push(zone);
        if totals.len() > ZONES_MAX {
            return Err(EnvironmentError::TooManyZones { count: totals.len(), max: ZONES_MAX });
        }
    }
    if totals.is_empty() {
        return Err(EnvironmentError::NoZones);
    }
    totals.sort_by_key(|zone| zone.source_id);
    Ok(totals)
}

fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let packed = read_bounded(std::fs::File::open(path)?)?;
    if packed.starts_with(&[0x1f, 0x8b]) {
        read_bounded(flate2::read::MultiGzDecoder::new(&packed[..]))
    } else {
        Ok(packed)
    }
}

fn read_bounded(reader: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let limit = FILE_BYTES_MAX >> 20;
        return Err(std::io::Error::other(format!("more than {limit} MiB, the largest allowed")));
    }
    Ok(bytes)
}

fn not_a_table(path: &Path, line: u64, error: &csv::Error) -> EnvironmentError {
    let line = error.position().map_or(line, csv::Position::line);
    EnvironmentError::ZoneTable { path: path.to_owned(), line, message: error.to_string() }
}

/// Column positions of each field, in the order of [`ZoneColumns`] without the number and unit.
struct Layout {
    source_id: usize,
    fields: [Vec<usize>; 11],
    m2_per_area: f64,
}

struct Row<'a> {
    path: &'a Path,
    line: u64,
    header: &'a csv::StringRecord,
    record: &'a csv::StringRecord,
}

impl Layout {
    fn new(
        path: &Path,
        columns: &ZoneColumns,
        header: &csv::StringRecord,
    ) -> Result<Self, EnvironmentError> {
        let find = |field: &'static str, column: &String| {
            header.iter().position(|name| name == column).ok_or_else(|| {
                let present = header.iter().collect::<Vec<_>>().join(", ");
                let (path, column) = (path.to_owned(), column.clone());
                EnvironmentError::MissingColumn { path, column, field, present }
            })
        };
        let all = |field, names: &[String]| {
            names.iter().map(|name| find(field, name)).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            source_id: find("the zone's number", &columns.source_id)?,
            fields: [
                all("households", &columns.households)?,
                all("population", &columns.population)?,
                all("area", &columns.area)?,
                all("retail jobs", &columns.retail)?,
                all("service jobs", &columns.services)?,
                all("health, education and leisure jobs", &columns.health_education_leisure)?,
                all("other jobs", &columns.other)?,
                all("jobs in agriculture", &columns.agriculture)?,
                all("jobs in manufacturing", &columns.manufacturing)?,
                all("school enrolment", &columns.school_enrolment)?,
                all("college enrolment", &columns.college_enrolment)?,
            ],
            m2_per_area: match columns.area_unit {
                AreaUnit::Acres => ACRE_M2,
                AreaUnit::SquareMetres => 1.0,
            },
        })
    }

    fn read(&self, row: &Row<'_>) -> Result<ZoneTotals, EnvironmentError> {
        let mut sums = [0.0_f64; 11];
        for (sum, positions) in sums.iter_mut().zip(&self.fields) {
            for position in positions {
                *sum += row.count(*position)?;
            }
        }
        sums[2] *= self.m2_per_area;
        let [households, population, area_m2, jobs @ .., school, college] = sums.map(|s| s as f32);
        let [retail, services, health_education_leisure, other, agriculture, manufacturing] = jobs;
        Ok(ZoneTotals {
            source_id: row.whole(self.source_id)?,
            households,
            population,
            area_m2,
            employment: Employment {
                retail,
                services,
                health_education_leisure,
                other,
                agriculture,
                manufacturing,
            },
            school_enrolment: school,
            college_enrolment: college,
        })
    }
}

impl Row<'_> {
    fn count(&self, position: usize) -> Result<f64, EnvironmentError> {
        // The bound keeps every total a finite f32; no zone has 10^15 of anything.
        match self.record[position].parse::<f64>() {
            Ok(value) if (0.0..=1e15).contains(&value) => Ok(value),
            _ => Err(self.bad(position, "a number of at least 0")),
        }
    }

    /// A whole number; "412.0" is one too, as some tools write it.
    fn whole(&self, position: usize) -> Result<i64, EnvironmentError> {
        let text = &self.record[position];
        let without_fraction = text.strip_suffix(".0").unwrap_or(text);
        without_fraction.parse().map_err(|_| self.bad(position, "a whole number"))
    }

    fn bad(&self, position: usize, allowed: &'static str) -> EnvironmentError {
        EnvironmentError::BadZoneValue {
            path: self.path.to_owned(),
            line: self.line,
            column: self.header[position].to_owned(),
            value: self.record[position].to_owned(),
            allowed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn columns() -> ZoneColumns {
        let one = |name: &str| vec![name.to_owned()];
        ZoneColumns {
            source_id: "zone".to_owned(),
            households: one("hh"),
            population: one("pop"),
            area: one("acres"),
            area_unit: AreaUnit::Acres,
            retail: one("shop"),
            services: Vec::new(),
            health_education_leisure: Vec::new(),
            other: vec!["shop".to_owned(), "hh".to_owned()],
            agriculture: Vec::new(),
            manufacturing: Vec::new(),
            school_enrolment: Vec::new(),
            college_enrolment: Vec::new(),
        }
    }

    fn read(text: &[u8]) -> Result<Vec<ZoneTotals>, EnvironmentError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text).unwrap();
        read_zone_totals(file.path(), &columns())
    }

    const GOOD: &[u8] = b"zone,hh,pop,acres,shop\n7,2,5,1.5,3\n3.0, 1,2,100,0\n";

    /// Rows come back in the order of zone numbers; named columns are summed; an acre is
    /// 4,046.8564224 m2 by definition.
    #[test]
    fn reads_a_table_plain_and_compressed() {
        let plain = read(GOOD).unwrap();
        assert_eq!(plain.iter().map(|z| z.source_id).collect::<Vec<_>>(), [3, 7]);
        assert_eq!(plain[1].population, 5.0);
        assert!((plain[1].area_m2 - 6_070.284_6).abs() < 0.01);
        assert_eq!(plain[1].employment.other, 5.0);
        assert_eq!(plain[1].employment.total(), 8.0);
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(GOOD).unwrap();
        assert_eq!(read(&packed.finish().unwrap()).unwrap(), plain);
    }

    #[test]
    fn every_mistake_is_named_with_its_line() {
        let message = |text: &[u8]| read(text).unwrap_err().to_string();
        let negative = message(b"zone,hh,pop,acres,shop\n7,2,5,1,3\n3,1,-2,1,0\n");
        assert!(negative.contains(":3: column \"pop\": found \"-2\""), "{negative}");
        let word = message(b"zone,hh,pop,acres,shop\n7,2,5,1,nan\n");
        assert!(word.contains(":2: column \"shop\": found \"nan\""), "{word}");
        let twice = message(b"zone,hh,pop,acres,shop\n7,2,5,1,3\n7,1,2,1,0\n");
        assert!(twice.contains(":3: zone 7 already stands in line 2"), "{twice}");
        let missing = message(b"zone,hh,people,acres,shop\n7,2,5,1,3\n");
        assert!(missing.contains("no column \"pop\" for population"), "{missing}");
        assert!(missing.contains("zone, hh, people"), "{missing}");
        let short = message(b"zone,hh,pop,acres,shop\n7,2,5,1\n");
        assert!(short.contains(":2: not a table"), "{short}");
        assert!(message(b"zone,hh,pop,acres,shop\n").contains("no zone"));
        assert!(message(b"zone,hh,pop,acres,shop\nx,1,1,1,1\n").contains("whole number"));
        let absent = read_zone_totals(Path::new("no/such/file.csv"), &columns()).unwrap_err();
        assert!(absent.to_string().contains("no/such/file.csv"));
    }
}
