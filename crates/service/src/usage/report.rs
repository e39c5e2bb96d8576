//! Reports in the two forms of COUNTER R5.1: JSON, and a table with header rows (sections 3.2 and 4.4, Item Report).

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::{Counts, Notice, Usage};

/// What every report says of itself. COUNTER leaves messages of the code 0 to those who make reports (Appendix D).
const NOT_AUDITED: &str = "COUNTER-shaped, not audited";

/// The usage of one tenant in a month.
#[derive(Debug)]
pub struct Report<'u> {
    pub(super) usage: &'u Usage,
    /// The tenant.
    pub tenant: &'u str,
    /// URN and counts of each standard, sorted.
    pub items: Vec<(&'u str, Counts)>,
}

/// By whom and when a report is made.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'o> {
    /// The name of the service to its readers, such as the host of its public URL.
    pub platform: &'o str,
    /// The program and its version.
    pub created_by: &'o str,
    /// The present time.
    pub created: Timestamp,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Json<'r> {
    #[serde(rename = "Report_Header")]
    header: Header<'r>,
    #[serde(rename = "Report_Items")]
    items: Vec<Parent<'r>>,
}

#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct Header<'r> {
    Release: &'static str,
    Report_ID: &'static str,
    Report_Name: &'static str,
    Created: String,
    Created_By: &'r str,
    Institution_ID: BTreeMap<&'static str, [String; 1]>,
    Institution_Name: &'r str,
    Registry_Record: &'static str,
    Report_Filters: BTreeMap<&'static str, String>,
    Exceptions: Vec<Exception>,
}

/// What differs from what a reader may expect (COUNTER R5.1, Appendix D).
#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct Exception {
    Code: u16,
    Message: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    Data: String,
}

/// Items without a parent: a standard is not a part of another publication.
#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct Parent<'r> {
    Items: Vec<Item<'r>>,
}

#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct Item<'r> {
    Item: &'r str,
    Item_ID: BTreeMap<&'static str, &'r str>,
    Platform: &'r str,
    Publisher: &'static str,
    Attribute_Performance: [Performance<'r>; 1],
}

#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct Performance<'r> {
    Data_Type: &'static str,
    /// Of each metric the counts of each month.
    Performance: BTreeMap<&'static str, BTreeMap<&'r str, u32>>,
}

const REPORT_NAME: &str = "Item Report";
const REPORT_ID: &str = "IR";
const RELEASE: &str = "5.1";
const DATA_TYPE: &str = "Standard";

impl Report<'_> {
    /// One line of JSON with a line end.
    pub fn counter_json(&self, origin: &Origin<'_>) -> Vec<u8> {
        let month = self.usage.month.to_string();
        let items = self.items.iter().map(|(urn, counts)| {
            let performance =
                metrics(counts).map(|(metric, count)| (metric, BTreeMap::from([(month.as_str(), count)])));
            Item {
                Item: urn,
                Item_ID: BTreeMap::from([("URI", *urn)]),
                Platform: origin.platform,
                Publisher: "",
                Attribute_Performance: [Performance {
                    Data_Type: DATA_TYPE,
                    Performance: performance.collect(),
                }],
            }
        });
        let items: Vec<Item<'_>> = items.collect();
        let filters = self.period().into_iter().chain([("Data_Type", DATA_TYPE.to_owned())]);
        let report = Json {
            header: Header {
                Release: RELEASE,
                Report_ID: REPORT_ID,
                Report_Name: REPORT_NAME,
                Created: format!("{:.0}", origin.created),
                Created_By: origin.created_by,
                Institution_ID: BTreeMap::from([("Proprietary", [self.institution()])]),
                Institution_Name: self.tenant,
                Registry_Record: "",
                Report_Filters: filters.collect(),
                Exceptions: self.exceptions(origin.created),
            },
            items: if items.is_empty() { Vec::new() } else { vec![Parent { Items: items }] },
        };
        let mut json = serde_json::to_vec(&report).expect("its keys are texts");
        json.push(b'\n');
        json
    }

    /// Comma-separated values: the header rows, an empty row, the column headings, and a row for each standard and metric.
    pub fn csv(&self, origin: &Origin<'_>) -> Vec<u8> {
        let month = self.usage.month;
        let exceptions =
            self.exceptions(origin.created).into_iter().map(|Exception { Code, Message, Data }| {
                let data = if Data.is_empty() { Data } else { format!(" ({Data})") };
                format!("{Code}: {Message}{data}")
            });
        let names = METRICS.map(|(name, _)| name).join("; ");
        let period = self.period().map(|(name, day)| format!("{name}={day}")).join("; ");
        let header = [
            ("Report_Name", REPORT_NAME.to_owned()),
            ("Report_ID", REPORT_ID.to_owned()),
            ("Release", RELEASE.to_owned()),
            ("Institution_Name", self.tenant.to_owned()),
            ("Institution_ID", self.institution()),
            ("Metric_Types", names),
            ("Report_Filters", format!("Data_Type={DATA_TYPE}")),
            ("Report_Attributes", String::new()),
            ("Exceptions", exceptions.collect::<Vec<_>>().join("; ")),
            ("Reporting_Period", period),
            ("Created", format!("{:.0}", origin.created)),
            ("Created_By", origin.created_by.to_owned()),
            ("Registry_Record", String::new()),
        ];
        let mut table = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        let mut write = |row: &[&str]| table.write_record(row).expect("a vector takes every byte");
        for (name, value) in &header {
            write(&[name, value]);
        }
        write(&["", ""]);
        let column = month.first_day().strftime("%b-%Y").to_string();
        write(&[&COLUMNS[..], &[&column]].concat());
        for (urn, counts) in &self.items {
            for (metric, count) in metrics(counts) {
                let count = count.to_string();
                write(&[
                    urn,
                    "",
                    "",
                    origin.platform,
                    "",
                    "",
                    "",
                    "",
                    "",
                    urn,
                    DATA_TYPE,
                    metric,
                    &count,
                    &count,
                ]);
            }
        }
        table.into_inner().expect("a vector takes every byte")
    }

    fn institution(&self) -> String {
        format!("norma:{}", self.tenant)
    }

    fn period(&self) -> [(&'static str, String); 2] {
        let month = self.usage.month;
        [("Begin_Date", month.first_day().to_string()), ("End_Date", month.last_day().to_string())]
    }

    fn exceptions(&self, now: Timestamp) -> Vec<Exception> {
        let month = self.usage.month;
        let mut exceptions = vec![Exception { Code: 0, Message: NOT_AUDITED, Data: String::new() }];
        let mut add =
            |code, message, data| exceptions.push(Exception { Code: code, Message: message, Data: data });
        if self.items.is_empty() {
            add(3030, "No Usage Available for Requested Dates", String::new());
        }
        if now < month.end() {
            let data = format!("{month} is not over: counted until {now:.0}");
            add(3031, "Usage Not Ready for Requested Dates", data);
        }
        for notice in self.usage.notices() {
            let data = notice.to_string();
            match notice {
                Notice::BeginsLate(..) if self.items.is_empty() => {
                    add(3032, "Usage No Longer Available for Requested Dates", data);
                }
                Notice::BeginsLate(..) | Notice::Unreadable(..) | Notice::OutOfOrder(_) => {
                    add(3040, "Partial Data Returned", data);
                }
            }
        }
        exceptions
    }
}

/// Column headings of the Item Report (COUNTER R5.1, Table 4.p); that of the month follows.
const COLUMNS: [&str; 13] = [
    "Item",
    "Publisher",
    "Publisher_ID",
    "Platform",
    "DOI",
    "Proprietary_ID",
    "ISBN",
    "Print_ISSN",
    "Online_ISSN",
    "URI",
    "Data_Type",
    "Metric_Type",
    "Reporting_Period_Total",
];

/// The count of one metric.
type CountOf = fn(&Counts) -> u32;

/// The metrics by their names at COUNTER.
const METRICS: [(&str, CountOf); 5] = [
    ("Total_Item_Investigations", |counts| counts.total_item_investigations),
    ("Total_Item_Requests", |counts| counts.total_item_requests),
    ("Unique_Item_Investigations", |counts| counts.unique_item_investigations),
    ("Unique_Item_Requests", |counts| counts.unique_item_requests),
    ("No_License", |counts| counts.no_license),
];

/// The metrics that are not 0: COUNTER leaves the others out.
fn metrics(counts: &Counts) -> impl Iterator<Item = (&'static str, u32)> {
    METRICS.iter().map(|(name, count)| (*name, count(counts))).filter(|(_, count)| *count > 0)
}
