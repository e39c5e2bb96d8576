//! Reports in the two forms of COUNTER R5.1: JSON, and a table with header rows (section 3.2). The Item
//! Report (section 4.4) has the standards, the Platform Report (section 4.1) their sums and the searches.

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
    /// Searches in all standards.
    searches: u32,
}

/// Which of COUNTER's reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// Item Report: the reads of each standard.
    Item,
    /// Platform Report: searches, and the reads of all standards together.
    Platform,
}

impl ReportKind {
    fn name(self) -> &'static str {
        match self {
            Self::Item => "Item Report",
            Self::Platform => "Platform Report",
        }
    }

    fn id(self) -> &'static str {
        match self {
            Self::Item => "IR",
            Self::Platform => "PR",
        }
    }

    /// What the report is limited to, in addition to its period.
    fn filter(self) -> Option<(&'static str, String)> {
        match self {
            Self::Item => Some(("Data_Type", DATA_TYPE.to_owned())),
            Self::Platform => None,
        }
    }

    fn metrics(self) -> &'static [(&'static str, CountOf)] {
        match self {
            Self::Item => &METRICS,
            Self::Platform => &PLATFORM_METRICS,
        }
    }

    /// Column headings (COUNTER R5.1, sections 4.1 and 4.4), without the last one, the month.
    fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Item => &COLUMNS,
            Self::Platform => &["Platform", "Data_Type", "Metric_Type", "Reporting_Period_Total"],
        }
    }
}

/// Titles and names from the store, for the ids in audit lines. What it does not know is reported by its id.
#[derive(Clone, Debug, Default)]
pub struct Titles {
    /// Names of tenants, by their ids.
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
    /// The time at which the report is made.
    pub created: Timestamp,
}

impl ReportContext<'_> {
    fn tenant<'s>(&'s self, id: &'s str) -> &'s str {
        match self.titles.tenants.get(id) {
            Some(name) => name,
            None => id,
        }
    }

    /// Title and publisher of a standard.
    fn standard<'s>(&'s self, urn: &'s str) -> (&'s str, &'s str) {
        match self.titles.standards.get(urn) {
            Some((title, publisher)) => (title, publisher),
            None => (urn, ""),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Json<'r, I> {
    #[serde(rename = "Report_Header")]
    header: ReportHeader<'r>,
    /// Empty, or one parent with all items; or one platform.
    #[serde(rename = "Report_Items")]
    items: &'r [I],
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

impl Exception {
    fn new(code: u16, message: &'static str, data: String) -> Self {
        Self { Code: code, Message: message, Data: data }
    }
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
        serializer.collect_seq(self.report.items().map(|(urn, counts)| self.item(urn, counts)))
    }
}

impl<'r> ReportItems<'r> {
    fn item(&self, urn: &'r str, counts: &UsageCounts) -> ReportItem<'r> {
        let (title, publisher) = self.context.standard(urn);
        ReportItem {
            Item: title,
            Item_ID: BTreeMap::from([("URI", urn)]),
            Platform: self.context.platform,
            Publisher: publisher,
            Attribute_Performance: [Performance::of(ReportKind::Item, DATA_TYPE, counts, self.month)],
        }
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

impl<'r> Performance<'r> {
    /// The counts of one month.
    fn of(kind: ReportKind, data_type: &'static str, counts: &UsageCounts, month: &'r str) -> Self {
        let mut by_metric = BTreeMap::new();
        for (metric, count) in metrics(kind, counts) {
            by_metric.insert(metric, BTreeMap::from([(month, count)]));
        }
        Self { Data_Type: data_type, Performance: by_metric }
    }
}

#[derive(Serialize)]
#[expect(non_snake_case, reason = "the names of COUNTER")]
struct PlatformItem<'r> {
    Platform: &'r str,
    Attribute_Performance: Vec<Performance<'r>>,
}

const RELEASE: &str = "5.1";
const DATA_TYPE: &str = "Standard";
/// The type of what a search is counted for.
const SEARCHED: &str = "Platform";

impl<'u> UsageReport<'u> {
    pub(super) fn new(
        facts: &'u Facts,
        tenant: String,
        items: Vec<(u32, UsageCounts)>,
        searches: u32,
    ) -> Self {
        Self { facts, tenant, items, searches }
    }

    /// True if a report of this kind has no count.
    pub fn is_empty(&self, kind: ReportKind) -> bool {
        self.items.is_empty() && (kind == ReportKind::Item || self.searches == 0)
    }

    /// URN and counts of each standard.
    fn items(&self) -> impl Iterator<Item = (&str, &UsageCounts)> {
        let urns = self.facts.names.standards();
        self.items.iter().map(|(number, counts)| (&*urns[*number as usize], counts))
    }

    /// Counts of all standards, and of the searches, each with its type of data.
    fn sums(&self) -> [(&'static str, UsageCounts); 2] {
        let mut sum = UsageCounts::default();
        for (_, counts) in &self.items {
            sum.total_item_investigations += counts.total_item_investigations;
            sum.total_item_requests += counts.total_item_requests;
            sum.unique_item_investigations += counts.unique_item_investigations;
            sum.unique_item_requests += counts.unique_item_requests;
        }
        let searches = UsageCounts { searches_platform: self.searches, ..UsageCounts::default() };
        [(SEARCHED, searches), (DATA_TYPE, sum)]
    }

    /// Writes one line of JSON with a line end.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn counter_json(
        &self,
        kind: ReportKind,
        context: &ReportContext<'_>,
        mut out: impl Write,
    ) -> io::Result<()> {
        let month = self.facts.month.to_string();
        let header = self.header(kind, context);
        let is_empty = self.is_empty(kind);
        match kind {
            ReportKind::Item => {
                let parent = Parent { Items: ReportItems { report: self, context, month: &month } };
                let items: &[_] = if is_empty { &[] } else { &[parent] };
                serde_json::to_writer(&mut out, &Json { header, items })?;
            }
            ReportKind::Platform => {
                let platform = self.platform_item(context, &month);
                let items: &[_] = if is_empty { &[] } else { &[platform] };
                serde_json::to_writer(&mut out, &Json { header, items })?;
            }
        }
        out.write_all(b"\n")
    }

    fn platform_item<'r>(&self, context: &'r ReportContext<'_>, month: &'r str) -> PlatformItem<'r> {
        let mut performances = Vec::new();
        for (data_type, counts) in self.sums() {
            let performance = Performance::of(ReportKind::Platform, data_type, &counts, month);
            if !performance.Performance.is_empty() {
                performances.push(performance);
            }
        }
        PlatformItem { Platform: context.platform, Attribute_Performance: performances }
    }

    fn header<'r>(&'r self, kind: ReportKind, context: &'r ReportContext<'r>) -> ReportHeader<'r> {
        ReportHeader {
            Release: RELEASE,
            Report_ID: kind.id(),
            Report_Name: kind.name(),
            Created: format!("{:.0}", context.created),
            Created_By: context.created_by,
            Institution_ID: BTreeMap::from([("Proprietary", [self.institution()])]),
            Institution_Name: context.tenant(&self.tenant),
            Registry_Record: "",
            Report_Filters: self.period().into_iter().chain(kind.filter()).collect(),
            Exceptions: self.exceptions(kind, context.created),
        }
    }

    /// Writes comma-separated values: the header rows, an empty row, the column headings, and a row for each
    /// standard, or type of data, and metric.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn csv(&self, kind: ReportKind, context: &ReportContext<'_>, out: impl Write) -> io::Result<()> {
        let mut table = csv::WriterBuilder::new().flexible(true).from_writer(out);
        for (name, value) in self.header_rows(kind, context) {
            table.write_record([name, value.as_str()])?;
        }
        table.write_record(["", ""])?;
        let month = self.facts.month.first_day().strftime("%b-%Y").to_string();
        table.write_record([kind.columns(), &[&month]].concat())?;
        match kind {
            ReportKind::Item => self.write_items(context, &mut table)?,
            ReportKind::Platform => self.write_platform(context, &mut table)?,
        }
        table.flush()
    }

    /// The rows before the table, each a name and its value (COUNTER R5.1, section 3.2).
    fn header_rows(&self, kind: ReportKind, context: &ReportContext<'_>) -> [(&'static str, String); 13] {
        let metric_types: Vec<&str> = kind.metrics().iter().map(|(name, _)| *name).collect();
        let filter = match kind.filter() {
            Some((name, value)) => format!("{name}={value}"),
            None => String::new(),
        };
        let mut exceptions = Vec::new();
        for Exception { Code, Message, Data } in self.exceptions(kind, context.created) {
            let data = if Data.is_empty() { Data } else { format!(" ({Data})") };
            exceptions.push(format!("{Code}: {Message}{data}"));
        }
        let period = self.period().map(|(name, day)| format!("{name}={day}"));
        [
            ("Report_Name", kind.name().to_owned()),
            ("Report_ID", kind.id().to_owned()),
            ("Release", RELEASE.to_owned()),
            ("Institution_Name", context.tenant(&self.tenant).to_owned()),
            ("Institution_ID", self.institution()),
            ("Metric_Types", metric_types.join("; ")),
            ("Report_Filters", filter),
            ("Report_Attributes", String::new()),
            ("Exceptions", exceptions.join("; ")),
            ("Reporting_Period", period.join("; ")),
            ("Created", format!("{:.0}", context.created)),
            ("Created_By", context.created_by.to_owned()),
            ("Registry_Record", String::new()),
        ]
    }

    /// Writes a row for each type of data and metric.
    fn write_platform(
        &self,
        context: &ReportContext<'_>,
        table: &mut csv::Writer<impl Write>,
    ) -> io::Result<()> {
        for (data_type, counts) in self.sums() {
            for (metric, count) in metrics(ReportKind::Platform, &counts) {
                let count = count.to_string();
                table.write_record([context.platform, data_type, metric, &count, &count])?;
            }
        }
        Ok(())
    }

    /// Writes a row for each standard and metric, in the order of [`COLUMNS`].
    fn write_items(
        &self,
        context: &ReportContext<'_>,
        table: &mut csv::Writer<impl Write>,
    ) -> io::Result<()> {
        for (urn, counts) in self.items() {
            let (title, publisher) = context.standard(urn);
            for (metric, count) in metrics(ReportKind::Item, counts) {
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
        Ok(())
    }

    fn institution(&self) -> String {
        format!("norma:{}", self.tenant)
    }

    fn period(&self) -> [(&'static str, String); 2] {
        let month = self.facts.month;
        [("Begin_Date", month.first_day().to_string()), ("End_Date", month.last_day().to_string())]
    }

    fn exceptions(&self, kind: ReportKind, now: Timestamp) -> Vec<Exception> {
        let month = self.facts.month;
        let is_empty = self.is_empty(kind);
        let mut exceptions = vec![Exception::new(0, NOT_AUDITED, String::new())];
        if is_empty {
            exceptions.push(Exception::new(3030, "No Usage Available for Requested Dates", String::new()));
        }
        if now < month.end() {
            let data = format!("{month} is not over: counted until {now:.0}");
            exceptions.push(Exception::new(3031, "Usage Not Ready for Requested Dates", data));
        }
        for notice in &self.facts.notices {
            let (code, message) = match notice {
                Notice::BeginsLate(..) if is_empty => (3032, "Usage No Longer Available for Requested Dates"),
                Notice::BeginsLate(..) | Notice::Unreadable(..) => (3040, "Partial Data Returned"),
            };
            exceptions.push(Exception::new(code, message, notice.to_string()));
        }
        exceptions
    }
}

/// Column headings of the Item Report, without the month.
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

/// The metrics of a Platform Report. It has no refusals (COUNTER R5.1, section 4.1).
const PLATFORM_METRICS: [(&str, CountOf); 5] = [
    ("Searches_Platform", |counts| counts.searches_platform),
    METRICS[0],
    METRICS[1],
    METRICS[2],
    METRICS[3],
];

/// The metrics that are not 0: COUNTER leaves the others out.
fn metrics(kind: ReportKind, counts: &UsageCounts) -> impl Iterator<Item = (&'static str, u32)> {
    kind.metrics().iter().map(|(name, count)| (*name, count(counts))).filter(|(_, count)| *count > 0)
}
