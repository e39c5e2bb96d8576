//! Reports in the two forms of COUNTER R5.1: JSON, and a table with header rows (sections 3.2 and 4.4, Item
//! Report).

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use super::{Facts, Notice, UsageCounts};

/// The exception that every report states. COUNTER leaves messages of the code 0 to those who make reports
/// (Appendix D).
const NOT_AUDITED: &str = "COUNTER-shaped, not audited";

/// The usage of one tenant in a month.
pub struct UsageReport<'u> {
    facts: &'u Facts,
    tenant: String,
    /// Number and counts of each standard, in the order of their URNs.
    items: Vec<(u32, UsageCounts)>,
}

/// Titles and names from the store, for the ids in audit lines. What it does not know is reported by its id.
#[derive(Clone, Debug, Default)]
pub struct Titles {
    /// Names of tenants.
    pub tenants: HashMap<String, String>,
    /// Titles of standards and their publishers, by URN.
    pub standards: HashMap<String, (String, String)>,
}

/// The author and time of a report, and the names in it.
#[derive(Clone, Copy, Debug)]
pub struct ReportContext<'o> {
    /// Names of tenants and titles of standards.
    pub titles: &'o Titles,
    /// The name of the service for its readers, such as the host of its public URL.
    pub platform: &'o str,
    /// The program and its version.
    pub created_by: &'o str,
    /// The present time.
    pub created: Timestamp,
}

impl ReportContext<'_> {
    fn tenant<'s>(&'s self, id: &'s str) -> &'s str {
        self.titles.tenants.get(id).map_or(id, String::as_str)
    }

    /// Title and publisher of a standard.
    fn standard<'s>(&'s self, urn: &'s str) -> (&'s str, &'s str) {
        let known = self.titles.standards.get(urn);
        known.map_or((urn, ""), |(title, publisher)| (title, publisher))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Json<'r> {
    #[serde(rename = "Report_Header")]
    header: ReportHeader<'r>,
    /// Empty, or one parent with all items.
    #[serde(rename = "Report_Items")]
    items: &'r [Parent<'r>],
}

#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct ReportHeader<'r> {
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

/// A difference from what a reader may expect (COUNTER R5.1, Appendix D).
#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct Exception {
    Code: u16,
    Message: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    Data: String,
}

/// The parent of an item, always empty: a standard is not a part of another publication.
#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct Parent<'r> {
    Items: ReportItems<'r>,
}

/// The items of a report, each made when it is written: a report may have hundreds of thousands.
struct ReportItems<'r> {
    report: &'r UsageReport<'r>,
    context: &'r ReportContext<'r>,
    month: &'r str,
}

impl Serialize for ReportItems<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let items = self.report.items().map(|(urn, counts)| {
            let (title, publisher) = self.context.standard(urn);
            ReportItem {
                Item: title,
                Item_ID: BTreeMap::from([("URI", urn)]),
                Platform: self.context.platform,
                Publisher: publisher,
                Attribute_Performance: [Performance {
                    Data_Type: DATA_TYPE,
                    Performance: metrics(counts)
                        .map(|(metric, count)| (metric, BTreeMap::from([(self.month, count)])))
                        .collect(),
                }],
            }
        });
        serializer.collect_seq(items)
    }
}

#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct ReportItem<'r> {
    Item: &'r str,
    Item_ID: BTreeMap<&'static str, &'r str>,
    Platform: &'r str,
    Publisher: &'r str,
    Attribute_Performance: [Performance<'r>; 1],
}

#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct Performance<'r> {
    Data_Type: &'static str,
    /// The counts of each month, by metric.
    Performance: BTreeMap<&'static str, BTreeMap<&'r str, u32>>,
}

const REPORT_NAME: &str = "Item Report";
const REPORT_ID: &str = "IR";
const RELEASE: &str = "5.1";
const DATA_TYPE: &str = "Standard";

impl<'u> UsageReport<'u> {
    pub(super) fn new(facts: &'u Facts, tenant: String, items: Vec<(u32, UsageCounts)>) -> Self {
        Self { facts, tenant, items }
    }

    /// URN and counts of each standard.
    fn items(&self) -> impl Iterator<Item = (&str, &UsageCounts)> {
        let urns = self.facts.names.standards();
        self.items.iter().map(|(number, counts)| (&*urns[*number as usize], counts))
    }

    /// Writes one line of JSON with a line end.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn counter_json(&self, context: &ReportContext<'_>, mut out: impl Write) -> io::Result<()> {
        let month = self.facts.month.to_string();
        let parent = Parent { Items: ReportItems { report: self, context, month: &month } };
        let filters = self.period().into_iter().chain([("Data_Type", DATA_TYPE.to_owned())]);
        let report = Json {
            header: ReportHeader {
                Release: RELEASE,
                Report_ID: REPORT_ID,
                Report_Name: REPORT_NAME,
                Created: format!("{:.0}", context.created),
                Created_By: context.created_by,
                Institution_ID: BTreeMap::from([("Proprietary", [self.institution()])]),
                Institution_Name: context.tenant(&self.tenant),
                Registry_Record: "",
                Report_Filters: filters.collect(),
                Exceptions: self.exceptions(context.created),
            },
            items: if self.items.is_empty() { &[] } else { &[parent] },
        };
        serde_json::to_writer(&mut out, &report)?;
        out.write_all(b"\n")
    }

    /// Writes comma-separated values: the header rows, an empty row, the column headings, and a row for each
    /// standard and metric.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn csv(&self, context: &ReportContext<'_>, out: impl Write) -> io::Result<()> {
        let month = self.facts.month;
        let exceptions =
            self.exceptions(context.created).into_iter().map(|Exception { Code, Message, Data }| {
                let data = if Data.is_empty() { Data } else { format!(" ({Data})") };
                format!("{Code}: {Message}{data}")
            });
        let names = METRICS.map(|(name, _)| name).join("; ");
        let period = self.period().map(|(name, day)| format!("{name}={day}")).join("; ");
        let header = [
            ("Report_Name", REPORT_NAME.to_owned()),
            ("Report_ID", REPORT_ID.to_owned()),
            ("Release", RELEASE.to_owned()),
            ("Institution_Name", context.tenant(&self.tenant).to_owned()),
            ("Institution_ID", self.institution()),
            ("Metric_Types", names),
            ("Report_Filters", format!("Data_Type={DATA_TYPE}")),
            ("Report_Attributes", String::new()),
            ("Exceptions", exceptions.collect::<Vec<_>>().join("; ")),
            ("Reporting_Period", period),
            ("Created", format!("{:.0}", context.created)),
            ("Created_By", context.created_by.to_owned()),
            ("Registry_Record", String::new()),
        ];
        let mut table = csv::WriterBuilder::new().flexible(true).from_writer(out);
        for (name, value) in &header {
            table.write_record([name, value.as_str()])?;
        }
        table.write_record(["", ""])?;
        let column = month.first_day().strftime("%b-%Y").to_string();
        table.write_record([&COLUMNS[..], &[&column]].concat())?;
        for (urn, counts) in self.items() {
            let (title, publisher) = context.standard(urn);
            for (metric, count) in metrics(counts) {
                let count = count.to_string();
                table.write_record([
                    title,
                    publisher,
                    "",
                    context.platform,
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
                ])?;
            }
        }
        table.flush()
    }

    fn institution(&self) -> String {
        format!("norma:{}", self.tenant)
    }

    fn period(&self) -> [(&'static str, String); 2] {
        let month = self.facts.month;
        [("Begin_Date", month.first_day().to_string()), ("End_Date", month.last_day().to_string())]
    }

    fn exceptions(&self, now: Timestamp) -> Vec<Exception> {
        let month = self.facts.month;
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
        for notice in &self.facts.notices {
            let data = notice.to_string();
            match notice {
                Notice::BeginsLate(..) if self.items.is_empty() => {
                    add(3032, "Usage No Longer Available for Requested Dates", data);
                }
                Notice::BeginsLate(..) | Notice::Unreadable(..) => {
                    add(3040, "Partial Data Returned", data);
                }
            }
        }
        exceptions
    }
}

/// Column headings of the Item Report (COUNTER R5.1, Table 4.p), without the last one, the month.
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
type CountOf = fn(&UsageCounts) -> u32;

/// The metrics by their names at COUNTER.
const METRICS: [(&str, CountOf); 5] = [
    ("Total_Item_Investigations", |counts| counts.total_item_investigations),
    ("Total_Item_Requests", |counts| counts.total_item_requests),
    ("Unique_Item_Investigations", |counts| counts.unique_item_investigations),
    ("Unique_Item_Requests", |counts| counts.unique_item_requests),
    ("No_License", |counts| counts.no_license),
];

/// The metrics that are not 0: COUNTER leaves the others out.
fn metrics(counts: &UsageCounts) -> impl Iterator<Item = (&'static str, u32)> {
    METRICS.iter().map(|(name, count)| (*name, count(counts))).filter(|(_, count)| *count > 0)
}
