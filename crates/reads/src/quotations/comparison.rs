//! Comparison of quotations with the units of one edition, in turns of a slot.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use norma_quotations::{PreparedUnit, Quotation, QuotationVerdict, verify};

use super::units::UnitPool;
use crate::slots::ClientSlots;

/// Longest work of a request in one turn, with the quotation that is begun. The words of the units are read
/// again in the next turn.
const COMPARISON_STEP: Duration = Duration::from_millis(50);

/// A quotation with the units that it is compared with, as indices of the pool.
pub(super) struct ComparedQuotation {
    pub(super) quotation: Quotation,
    /// The units at the place that is cited.
    pub(super) cited: Vec<usize>,
    /// Other units that have its words.
    pub(super) candidates: Vec<usize>,
}

/// The verdict on a quotation with its units.
pub(super) struct QuotationFinding {
    pub(super) verdict: QuotationVerdict,
    /// Indices of the pool, in order.
    pub(super) units: Vec<usize>,
}

/// Compares quotations with units of a pool.
pub(super) async fn compare_all(
    slots: &ClientSlots,
    pool: Arc<UnitPool>,
    quotations: Vec<ComparedQuotation>,
) -> Vec<QuotationFinding> {
    let comparison = QuotationComparison { pool, quotations, findings: Vec::new() };
    slots.run_in_steps(comparison, QuotationComparison::step).await
}

/// Quotations that are compared one after the other.
struct QuotationComparison {
    pool: Arc<UnitPool>,
    quotations: Vec<ComparedQuotation>,
    findings: Vec<QuotationFinding>,
}

impl QuotationComparison {
    /// Goes on for one turn. Each unit is read once in it, whatever the number of its quotations.
    fn step(&mut self) -> Option<Vec<QuotationFinding>> {
        let begun = Instant::now();
        let pool = Arc::clone(&self.pool);
        let units = PreparedUnits::new(&pool);
        while let Some(compared) = self.quotations.get(self.findings.len()) {
            self.findings.push(units.finding(compared));
            if begun.elapsed() >= COMPARISON_STEP {
                break;
            }
        }
        let is_over = self.findings.len() == self.quotations.len();
        is_over.then(|| std::mem::take(&mut self.findings))
    }
}

/// The units of a pool, whose words are read when the first quotation needs them.
struct PreparedUnits<'p> {
    pool: &'p UnitPool,
    prepared: Vec<OnceCell<PreparedUnit<'p>>>,
}

impl<'p> PreparedUnits<'p> {
    fn new(pool: &'p UnitPool) -> Self {
        Self { pool, prepared: pool.units.iter().map(|_| OnceCell::new()).collect() }
    }

    /// The verdict by the units at the place that is cited, unless all of them say that another one is
    /// nearer.
    fn finding(&self, compared: &ComparedQuotation) -> QuotationFinding {
        let at_location = self.verdict(&compared.quotation, &compared.cited);
        let is_found = rank(&at_location.verdict) == 0;
        if is_found || compared.candidates.iter().all(|unit| compared.cited.contains(unit)) {
            return at_location;
        }
        let mut all = compared.cited.clone();
        for unit in &compared.candidates {
            if !all.contains(unit) {
                all.push(*unit);
            }
        }
        let anywhere = self.verdict(&compared.quotation, &all);
        if rank(&anywhere.verdict) < rank(&at_location.verdict) { anywhere } else { at_location }
    }

    fn verdict(&self, quotation: &Quotation, units: &[usize]) -> QuotationFinding {
        let mut candidates: Vec<&PreparedUnit<'p>> = Vec::with_capacity(units.len());
        for &unit in units {
            let prepare = || PreparedUnit::new(self.pool.units[unit].candidate());
            candidates.push(self.prepared[unit].get_or_init(prepare));
        }
        let verdict = verify(quotation, &candidates);
        let found = verdict.units().iter().map(|&index| units[index]).collect();
        QuotationFinding { verdict, units: found }
    }
}

/// The order of verdicts, the best first.
pub(super) fn rank(verdict: &QuotationVerdict) -> u8 {
    match verdict {
        QuotationVerdict::Exact { .. } | QuotationVerdict::Normalised { .. } => 0,
        QuotationVerdict::Partial { .. } => 1,
        QuotationVerdict::Altered { .. } => 2,
        QuotationVerdict::Absent => 3,
    }
}
