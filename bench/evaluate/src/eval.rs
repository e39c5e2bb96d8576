//! Evaluation of the rules against gold files: sentences whose types people have written down.

use std::collections::BTreeMap;
use std::fmt;

use norma_model::{Edition, Provision, ProvisionKind, Reference};

use crate::gold::{
    GoldDocument, GoldLine, NOT_STATED, alone, bare, written_condition, written_quantity, written_reference,
};

/// The quality of the found provisions, by language and type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvalReport {
    /// One row for each language and type that was expected or found.
    pub rows: Vec<EvalRow>,
    /// Counts for each class of difficulty that lines name, in the order of their names.
    pub classes: Vec<ClassRow>,
    /// Quantities of the provisions whose lines list them; a right one has comparator, numbers and unit.
    pub quantities: EvalCounts,
    /// References of the provisions whose lines list them, each once; a right one has its words and clause.
    pub references: EvalCounts,
    /// Conditions of the provisions whose lines list them; a right one begins and ends where the line says.
    pub conditions: EvalCounts,
    /// Sentences with the correct type but a wrong negation.
    pub negation_errors: usize,
    /// Lines whose first provision has another `identifier` or `itemLabel`.
    pub name_errors: usize,
    /// Lines whose first diagnostic is another one.
    pub diagnostic_errors: usize,
    /// The errors, one line each, in the order of the gold file.
    pub errors: Vec<String>,
}

/// Counts for one language and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalRow {
    /// Language code.
    pub language: String,
    /// Type of provision.
    pub kind: ProvisionKind,
    /// Provisions of this language and type.
    pub counts: EvalCounts,
}

/// Numbers of expected, found and correct items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvalCounts {
    /// Found where the gold file has it.
    pub right: usize,
    /// Found where the gold file has none.
    pub invented: usize,
    /// Not found where the gold file has one.
    pub missed: usize,
}

impl EvalCounts {
    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.invented += other.invented;
        self.missed += other.missed;
    }

    /// Share of the found items that are correct; 1 if none were found.
    pub fn precision(self) -> f64 {
        ratio(self.right, self.right + self.invented)
    }

    /// Share of the expected items that were found; 1 if none are expected.
    pub fn recall(self) -> f64 {
        ratio(self.right, self.right + self.missed)
    }

    /// Harmonic mean of precision and recall.
    pub fn f1(self) -> f64 {
        let (p, r) = (self.precision(), self.recall());
        if p + r == 0.0 { 0.0 } else { 2.0 * p * r / (p + r) }
    }
}

/// Counts for one class of difficulty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassRow {
    /// Name of the class, as the gold file has it.
    pub class: String,
    /// Lines of the class, near misses (lines without a provision) included.
    pub lines: usize,
    /// Lines with an error of any kind: type, negation, identifier or label.
    pub wrong: usize,
    /// Provisions of its lines; of lines without a type their quantities, references and conditions.
    pub counts: EvalCounts,
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

impl fmt::Display for EvalReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "language  type                gold  right  precision  recall     F1")?;
        for EvalRow { language, kind, counts } in &self.rows {
            let gold = counts.right + counts.missed;
            let kind = format!("{kind:?}");
            let (p, r, f1) = (counts.precision(), counts.recall(), counts.f1());
            writeln!(f, "{language:8}  {kind:18}  {gold:4}  {:5}  {p:9.3}  {r:6.3}  {f1:5.3}", counts.right)?;
        }
        if !self.classes.is_empty() {
            writeln!(f, "\nclass               lines  wrong  gold  right  precision  recall     F1")?;
        }
        for ClassRow { class, lines, wrong, counts } in &self.classes {
            let gold = counts.right + counts.missed;
            let (p, r, f1) = (counts.precision(), counts.recall(), counts.f1());
            writeln!(
                f,
                "{class:18}  {lines:5}  {wrong:5}  {gold:4}  {:5}  {p:9.3}  {r:6.3}  {f1:5.3}",
                counts.right
            )?;
        }
        for (name, counts) in [
            ("quantities", self.quantities),
            ("references", self.references),
            ("conditions", self.conditions),
        ] {
            if counts != EvalCounts::default() {
                let gold = counts.right + counts.missed;
                let (p, r, f1) = (counts.precision(), counts.recall(), counts.f1());
                writeln!(
                    f,
                    "\n{name}: {gold} gold, {} right, precision {p:.3}, recall {r:.3}, F1 {f1:.3}",
                    counts.right
                )?;
            }
        }
        write!(f, "negation wrong in {}, names in {}", self.negation_errors, self.name_errors)
    }
}

/// The reason why a gold file cannot be evaluated.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct GoldError {
    /// Line of the gold file, from 1.
    pub line: usize,
    /// The error, and how to correct it.
    pub reason: String,
}

/// Compares what is found with a gold file. `load` gives the edition of a document that the gold file names,
/// or says why there is none.
///
/// crates/provisions/README.md lists the members of a line.
///
/// # Errors
/// When a line is not of the documented form, or its document cannot be read.
pub fn eval(
    gold: &str,
    load: &mut dyn FnMut(&str) -> Result<Edition, String>,
) -> Result<EvalReport, GoldError> {
    let mut documents: BTreeMap<String, GoldDocument> = BTreeMap::new();
    let mut tally = EvalTally::default();
    for (index, text) in gold.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let fail = |reason: String| GoldError { line: index + 1, reason };
        let line: GoldLine = serde_json::from_str(text).map_err(|e| fail(e.to_string()))?;
        let mut diagnostic = None;
        let (found, language) = match &line.document {
            None => {
                let language = line.language.clone().unwrap_or_else(|| "en".to_owned());
                let (found, code) = alone(&line, &language).map_err(fail)?;
                diagnostic = Some(code);
                (found, language)
            }
            Some(path) => {
                if !documents.contains_key(path) {
                    let edition = load(path).map_err(|e| fail(format!("`{path}` cannot be read: {e}")))?;
                    documents.insert(path.clone(), GoldDocument::of(edition));
                }
                let document = &documents[path];
                (document.provisions_of(&line).map_err(fail)?, document.language.clone())
            }
        };
        tally.line(index + 1, &line, &language, &found, diagnostic);
    }
    Ok(tally.report())
}

#[derive(Default)]
struct EvalTally {
    rows: BTreeMap<(String, ProvisionKind), EvalCounts>,
    classes: BTreeMap<String, ClassRow>,
    report: EvalReport,
}

impl EvalTally {
    /// Counts a line, also for its class.
    fn line(
        &mut self,
        number: usize,
        line: &GoldLine,
        language: &str,
        found: &[Provision],
        diagnostic: Option<&str>,
    ) {
        let errors = self.report.errors.len();
        let parts = self.count_parts(number, line, found);
        let counts = match line.asks_for_parts() {
            true => parts,
            false => self.count(number, line, language, found),
        };
        if let Some((wanted, code)) = line.diagnostic.as_deref().zip(diagnostic).filter(|(a, b)| a != b) {
            self.report.diagnostic_errors += 1;
            self.error(number, line, &format!("diagnostic is `{code}`, not `{wanted}`"));
        }
        let Some(class) = &line.class else { return };
        let wrong = self.report.errors.len() > errors;
        let row = self.classes.entry(class.clone()).or_default();
        row.lines += 1;
        row.wrong += usize::from(wrong);
        row.counts.add(counts);
    }

    fn count(&mut self, number: usize, line: &GoldLine, language: &str, found: &[Provision]) -> EvalCounts {
        let mut counts = EvalCounts::default();
        // A sentence that was cut or joined is another sentence: what was found in it is wrong.
        let mut wanted = line.wanted();
        let several = wanted.len() > 1;
        for provision in found {
            let unit = wanted
                .iter()
                .position(|(text, kind)| *kind == provision.kind && bare(text) == bare(&provision.text));
            let Some(unit) = unit else {
                counts.invented += 1;
                self.counts_of(language, provision.kind).invented += 1;
                let what = format!("{:?} by {} in `{}`", provision.kind, provision.rule, provision.text);
                self.error(number, line, &what);
                continue;
            };
            wanted.remove(unit);
            counts.right += 1;
            self.counts_of(language, provision.kind).right += 1;
            if !several && provision.negated != line.negated {
                self.report.negation_errors += 1;
                self.error(number, line, &format!("negated is {}", provision.negated));
            }
        }
        for (_, kind) in wanted {
            counts.missed += 1;
            self.counts_of(language, kind).missed += 1;
            self.error(number, line, &format!("{kind:?} missed"));
        }
        for (name, wanted, found) in [
            ("identifier", &line.identifier, found.first().and_then(|p| p.identifier.as_deref())),
            ("itemLabel", &line.item_label, found.first().and_then(|p| p.item_label.as_deref())),
        ] {
            if wanted.as_deref().is_some_and(|wanted| wanted != found.unwrap_or_default()) {
                self.report.name_errors += 1;
                self.error(number, line, &format!("{name} is {found:?}"));
            }
        }
        counts
    }

    /// Compares the quantities, references and conditions of the first provision with those of the line.
    fn count_parts(&mut self, number: usize, line: &GoldLine, found: &[Provision]) -> EvalCounts {
        let first = found.first();
        let mut all = EvalCounts::default();
        if let Some(wanted) = &line.quantities {
            let found = first.iter().flat_map(|p| p.quantities.iter().filter(|q| !q.passage.in_lead_in));
            let found = found.map(written_quantity).collect();
            let counts = self.compare("quantity", number, line, wanted, found);
            self.report.quantities.add(counts);
            all.add(counts);
        }
        if let Some(wanted) = &line.references {
            // Dependencies come from other rows of a table, and a list of places is there once for each.
            let own = |reference: &&Reference| first.is_some_and(|p| p.text.contains(&reference.text));
            let mut found: Vec<String> = first
                .iter()
                .flat_map(|p| p.references.iter().filter(own))
                .map(|r| written_reference(r, line))
                .collect();
            found.dedup();
            let counts = self.compare("reference", number, line, wanted, found);
            self.report.references.add(counts);
            all.add(counts);
        }
        if let Some(wanted) = &line.conditions {
            let shortened = wanted.iter().any(|wanted| wanted.contains(" … "));
            let own =
                first.iter().flat_map(|p| p.conditions.iter().filter(|c| !c.in_lead_in).map(|c| p.words(*c)));
            let found = own.map(|words| written_condition(words, shortened)).collect();
            let counts = self.compare("condition", number, line, wanted, found);
            self.report.conditions.add(counts);
            all.add(counts);
        }
        all
    }

    fn compare(
        &mut self,
        what: &str,
        number: usize,
        line: &GoldLine,
        wanted: &[String],
        found: Vec<String>,
    ) -> EvalCounts {
        let mut wanted: Vec<&String> = wanted.iter().collect();
        let mut counts = EvalCounts::default();
        for found in found {
            match wanted.iter().position(|wanted| **wanted == found || found.ends_with(&format!(" {wanted}")))
            {
                Some(at) => {
                    wanted.remove(at);
                    counts.right += 1;
                }
                // What is not stated is missed, and not wrong.
                None if found.strip_prefix(NOT_STATED).is_some_and(|value| {
                    wanted.iter().any(|wanted| wanted.split_once(' ').is_some_and(|(_, own)| own == value))
                }) => {}
                None => {
                    counts.invented += 1;
                    self.error(number, line, &format!("{what} `{found}` is not expected"));
                }
            }
        }
        for missed in wanted {
            counts.missed += 1;
            self.error(number, line, &format!("{what} `{missed}` missed"));
        }
        counts
    }

    fn counts_of(&mut self, language: &str, kind: ProvisionKind) -> &mut EvalCounts {
        self.rows.entry((language.to_owned(), kind)).or_default()
    }

    fn error(&mut self, number: usize, line: &GoldLine, what: &str) {
        let words = line.id.as_ref().unwrap_or(&line.sentence);
        self.report.errors.push(format!("line {number}: {what}: {words}"));
    }

    fn report(mut self) -> EvalReport {
        let of_kind = |((language, kind), counts)| EvalRow { language, kind, counts };
        self.report.rows = self.rows.into_iter().map(of_kind).collect();
        let named = |(class, row)| ClassRow { class, ..row };
        self.report.classes = self.classes.into_iter().map(named).collect();
        self.report
    }
}
