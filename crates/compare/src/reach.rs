//! Reach of references: what a section of the older edition leads to in both editions, and whether anything
//! that it leads to changed.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashSet};

use crate::comparison::{Change, Dependency, DependencyKind, Link, PartRelation, SectionChange, TableChange};
use crate::facets::FacetContext;
use crate::part_links::PartLinks;
use crate::reference_names::EditionAge;
use crate::units::{NumberedPartKind, UnitTarget, Units};

/// A section, table, figure or formula in both editions: its index in the older one, then in the newer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TargetPair {
    Section(usize, usize),
    Part(usize, usize),
}

impl TargetPair {
    fn newer(self) -> TargetInEdition {
        match self {
            Self::Section(_, section) => TargetInEdition::Section(section),
            Self::Part(_, part) => TargetInEdition::Part(part),
        }
    }
}

/// A target within one edition, by index.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TargetInEdition {
    Section(usize),
    Part(usize),
}

impl TargetInEdition {
    /// `None` for another document.
    fn of(target: &UnitTarget) -> Option<Self> {
        match *target {
            UnitTarget::Section(section) => Some(Self::Section(section)),
            UnitTarget::Part(part) => Some(Self::Part(part)),
            UnitTarget::Document { .. } => None,
        }
    }
}

/// The sections, parts and references of one edition by section.
struct EditionReach<'a> {
    units: &'a Units,
    age: EditionAge,
    /// The subsections of each section, without theirs.
    children: Vec<Vec<usize>>,
    /// The tables, figures and formulae of each section.
    parts: Vec<Vec<usize>>,
    /// The units of each section.
    members: Vec<Vec<usize>>,
}

impl<'a> EditionReach<'a> {
    fn new(units: &'a Units, age: EditionAge) -> Self {
        let mut children = vec![Vec::new(); units.sections.len()];
        let mut parts = children.clone();
        let mut members = children.clone();
        for (index, section) in units.sections.iter().enumerate() {
            if let Some(parent) = section.parent {
                children[parent].push(index);
            }
        }
        for (index, part) in units.parts.iter().enumerate() {
            if let Some(section) = part.section {
                parts[section].push(index);
            }
        }
        for (index, unit) in units.units.iter().enumerate() {
            members[unit.section].push(index);
        }
        Self { units, age, children, parts, members }
    }

    /// A section and those in it, in order.
    fn subtree(&self, section: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![section];
        while let Some(section) = open.pop() {
            found.push(section);
            open.extend(self.children[section].iter().rev());
        }
        found
    }

    /// The targets of all references in a section itself: those of its text, then those of its units.
    fn targets(&self, section: usize) -> Vec<&UnitTarget> {
        let mut targets: Vec<&UnitTarget> = self.units.sections[section].targets.iter().collect();
        for &unit in &self.members[section] {
            targets.extend(self.units.units[unit].targets());
        }
        targets
    }
}

/// What changed in both editions, with the references between its parts.
pub(crate) struct ReferenceReach<'a> {
    context: &'a FacetContext<'a>,
    part_links: &'a PartLinks,
    older: EditionReach<'a>,
    newer: EditionReach<'a>,
    /// The change of each section that is in both editions, by its indices in both.
    sections: HashMap<(usize, usize), &'a SectionChange>,
    /// The counterpart of each section of the older edition.
    to_newer: HashMap<usize, usize>,
    /// The change of each table that is in both editions.
    tables: HashMap<(usize, usize), &'a TableChange>,
    /// For each section that changed, the numbers of what changed, is new and was removed.
    changed_sections: HashMap<(usize, usize), [u32; 3]>,
    /// Sections of the older edition from which references lead to a change, over any number of others.
    leading: Vec<bool>,
}

impl<'a> ReferenceReach<'a> {
    pub(crate) fn new(
        context: &'a FacetContext<'a>,
        part_links: &'a PartLinks,
        tables: &'a [TableChange],
        outline: &'a [SectionChange],
        links: &[Link],
    ) -> Self {
        let mut to_newer = HashMap::default();
        let mut sections = HashMap::default();
        for change in outline {
            if let (Some(older), Some(newer)) = (change.older, change.newer) {
                to_newer.insert(older, newer);
                sections.insert((older, newer), change);
            }
        }
        let mut changed_tables = HashMap::default();
        for change in tables {
            if let (Some(older), Some(newer)) = (change.older, change.newer) {
                changed_tables.insert((older, newer), change);
            }
        }
        let mut reach = Self {
            context,
            part_links,
            older: EditionReach::new(context.older, EditionAge::Older),
            newer: EditionReach::new(context.newer, EditionAge::Newer),
            to_newer,
            sections,
            tables: changed_tables,
            changed_sections: HashMap::default(),
            leading: Vec::new(),
        };
        reach.find_changed_sections(links);
        reach.leading = reach.leading_sections();
        reach
    }

    /// Fills in the sections that changed: provisions in them, their other text, or their status.
    fn find_changed_sections(&mut self, links: &[Link]) {
        // The outline counts a unit that came from another section as one of this section.
        let mut arrived: HashMap<usize, u32> = HashMap::default();
        let newer = self.context.newer;
        for link in links {
            if link.facets.moved.is_none() {
                continue;
            }
            let mut around = Some(newer.units[link.newer].section);
            while let Some(section) = around {
                *arrived.entry(section).or_default() += 1;
                around = newer.sections[section].parent;
            }
        }
        let mut found = HashMap::default();
        for (&(s, t), change) in &self.sections {
            let [_, mut changed, mut new, removed] = change.provisions;
            new += arrived.get(&t).copied().unwrap_or_default();
            changed += u32::from(self.has_other_status(s, t)) + u32::from(self.has_other_text(s, t));
            if changed + new + removed > 0 {
                found.insert((s, t), [changed, new, removed]);
            }
        }
        self.changed_sections = found;
    }

    fn has_other_status(&self, older: usize, newer: usize) -> bool {
        let before = self.context.older.sections[older].normative;
        let after = self.context.newer.sections[newer].normative;
        before.is_some() && after.is_some() && before != after
    }

    /// True where two sections say something else besides provisions. Where nothing refers to one of them,
    /// its text was not read.
    fn has_other_text(&self, older: usize, newer: usize) -> bool {
        let before = self.context.older.sections[older].text_hash;
        let after = self.context.newer.sections[newer].text_hash;
        if before.is_none() || after.is_none() {
            return false;
        }
        self.text(&self.older, older) != self.text(&self.newer, newer)
    }

    /// What a section and those in it say besides provisions: the hashes of the texts, then the names of what
    /// they refer to.
    fn text(&self, edition: &EditionReach<'_>, section: usize) -> (Vec<u64>, Vec<&str>) {
        let (mut hashes, mut names) = (Vec::new(), Vec::new());
        for inner in edition.subtree(section) {
            let own = &edition.units.sections[inner];
            // A section without text of its own has the hash 0.
            hashes.extend(own.text_hash.filter(|hash| *hash != 0));
            for target in &own.targets {
                names.extend(self.context.reference_names.name(target, edition.age));
            }
        }
        (hashes, names)
    }

    /// For each section of the older edition, whether references lead from it to a change.
    fn leading_sections(&self) -> Vec<bool> {
        let count = self.context.older.sections.len();
        // Sections with a change in them, from which the search goes backwards.
        let mut open: Vec<usize> = Vec::new();
        for (section, _) in self.changed_sections.keys() {
            open.push(*section);
        }
        // For each section those that lead to it: its parent, and those that refer to it.
        let mut from: Vec<Vec<usize>> = vec![Vec::new(); count];
        for section in 0..count {
            from[section].extend(self.context.older.sections[section].parent);
            let mut parts = self.older.parts[section].clone();
            for target in self.older.targets(section) {
                match *target {
                    UnitTarget::Section(to) => from[to].push(section),
                    UnitTarget::Part(part) => parts.push(part),
                    UnitTarget::Document { .. } => {}
                }
            }
            if parts.into_iter().any(|part| self.is_part_changed(part)) {
                open.push(section);
            }
        }
        let mut leading = vec![false; count];
        while let Some(section) = open.pop() {
            if !leading[section] {
                leading[section] = true;
                open.extend(&from[section]);
            }
        }
        leading
    }

    fn is_part_changed(&self, part: usize) -> bool {
        match self.part_pair(part) {
            Some(pair) => self.is_changed(pair),
            None => false,
        }
    }

    /// A part of the older edition with its counterpart.
    fn part_pair(&self, part: usize) -> Option<TargetPair> {
        let newer = self.part_links.to_newer[part]?;
        Some(TargetPair::Part(part, newer as usize))
    }

    /// Two targets that correspond; for a first subsection “General” and its parent the parents.
    pub(crate) fn pair(&self, older: &UnitTarget, newer: &UnitTarget) -> Option<TargetPair> {
        match (older, newer) {
            (&UnitTarget::Section(s), &UnitTarget::Section(t)) => {
                if self.sections.contains_key(&(s, t)) {
                    return Some(TargetPair::Section(s, t));
                }
                let homes = (self.context.homes[0][s] as usize, self.context.homes[1][t] as usize);
                self.sections.contains_key(&homes).then_some(TargetPair::Section(homes.0, homes.1))
            }
            (&UnitTarget::Part(s), &UnitTarget::Part(t)) => Some(TargetPair::Part(s, t)),
            _ => None,
        }
    }

    /// A target of the older edition with its counterpart.
    fn with_counterpart(&self, target: &UnitTarget) -> Option<TargetPair> {
        match *target {
            UnitTarget::Section(section) => Some(TargetPair::Section(section, *self.to_newer.get(&section)?)),
            UnitTarget::Part(part) => self.part_pair(part),
            UnitTarget::Document { .. } => None,
        }
    }

    /// What changed in a target itself; `None` where nothing did.
    pub(crate) fn change(&self, pair: TargetPair) -> Option<Dependency> {
        let (kind, [changed, new, removed]) = match pair {
            TargetPair::Section(older, newer) => {
                (DependencyKind::Clause, *self.changed_sections.get(&(older, newer))?)
            }
            TargetPair::Part(older, newer) => {
                let kind = self.context.older.parts[older].kind;
                (DependencyKind::Part(kind), self.part_change(kind, older, newer)?)
            }
        };
        let (TargetPair::Section(older, newer) | TargetPair::Part(older, newer)) = pair;
        let target = Change { older, newer };
        Some(Dependency { kind, target, changed, new, removed, unknown: false })
    }

    /// The numbers of what changed in a part, is new and was removed.
    fn part_change(&self, kind: NumberedPartKind, older: usize, newer: usize) -> Option<[u32; 3]> {
        if kind == NumberedPartKind::Table {
            return counts(self.tables.get(&(older, newer))?);
        }
        PartLinks::changed(self.context, older, newer).then_some([1, 0, 0])
    }

    fn is_changed(&self, pair: TargetPair) -> bool {
        self.change(pair).is_some()
    }

    /// True for a target that changed, and for one whose references may lead to something that did.
    pub(crate) fn may_lead_to_change(&self, pair: TargetPair) -> bool {
        match pair {
            TargetPair::Section(s, _) => self.leading[s],
            TargetPair::Part(..) => self.is_changed(pair),
        }
    }

    /// The tables, figures and formulae that both of two sections, or those in them, have.
    pub(crate) fn parts_in(&self, older: usize, newer: usize) -> Vec<TargetPair> {
        let within = self.newer.subtree(newer);
        let mut found = Vec::new();
        for inner in self.older.subtree(older) {
            for &part in &self.older.parts[inner] {
                let Some(counterpart) = self.part_links.to_newer[part] else { continue };
                let counterpart = counterpart as usize;
                let Some(section) = self.newer.units.parts[counterpart].section else { continue };
                if within.contains(&section) {
                    found.push(TargetPair::Part(part, counterpart));
                }
            }
        }
        found
    }

    /// What both of two sections, or those in them, refer to, each once.
    pub(crate) fn references_of(&self, older: usize, newer: usize) -> BTreeSet<TargetPair> {
        let mut of_newer = HashSet::default();
        for inner in self.newer.subtree(newer) {
            of_newer.extend(self.newer.targets(inner).into_iter().filter_map(TargetInEdition::of));
        }
        let mut found = BTreeSet::new();
        for inner in self.older.subtree(older) {
            for target in self.older.targets(inner) {
                let Some(pair) = self.with_counterpart(target) else { continue };
                if of_newer.contains(&pair.newer()) {
                    found.insert(pair);
                }
            }
        }
        found
    }

    /// True where one of two targets is the section of a unit, or around it. What changes there is next to
    /// the unit, not something that it refers to.
    pub(crate) fn holds(&self, pair: TargetPair, homes: [usize; 2]) -> bool {
        let TargetPair::Section(older, newer) = pair else { return false };
        holds(self.context.older, older, homes[0]) || holds(self.context.newer, newer, homes[1])
    }

    /// True where references lead from a target to a change, without `visited` and the sections around a
    /// unit.
    pub(crate) fn leads_to_change(
        &self,
        pair: TargetPair,
        visited: &HashSet<TargetPair>,
        homes: [usize; 2],
    ) -> bool {
        let (mut open, mut seen) = (vec![pair], visited.clone());
        while let Some(pair) = open.pop() {
            if !self.may_lead_to_change(pair) || self.holds(pair, homes) || !seen.insert(pair) {
                continue;
            }
            if self.is_changed(pair) {
                return true;
            }
            if let TargetPair::Section(older, newer) = pair {
                open.extend(self.parts_in(older, newer));
                open.extend(self.references_of(older, newer));
            }
        }
        false
    }
}

/// Numbers of changes in a table: changed, new, removed; `None` without a change.
fn counts(table: &TableChange) -> Option<[u32; 3]> {
    if table.relation != PartRelation::Changed {
        return None;
    }
    let mut changed =
        table.changed_cells + u32::from(table.notes_changed) + u32::from(table.caption.is_some());
    let mut new = 0;
    let mut removed = 0;
    for line in table.rows.iter().chain(&table.columns) {
        match line.relation {
            PartRelation::Changed | PartRelation::Moved => changed += 1,
            PartRelation::New => new += 1,
            PartRelation::Removed => removed += 1,
            PartRelation::Same => {}
        }
    }
    Some([changed, new, removed])
}

/// True for a section that is another one, or around it.
fn holds(units: &Units, outer: usize, inner: usize) -> bool {
    let mut around = Some(inner);
    while let Some(section) = around {
        if section == outer {
            return true;
        }
        around = units.sections[section].parent;
    }
    false
}
