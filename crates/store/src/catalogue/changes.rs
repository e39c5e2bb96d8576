//! The last changes of each edition: rows that `GET /changes` is answered of, and that outlive the edition.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use crate::catalogue::edition::EditionRows;
use crate::catalogue::feed::{self, Subject};
use crate::catalogue::{ROW_BATCH, amending};
use crate::earlier::MAX_EARLIER_REVISIONS;
use crate::engine::{ResultRow, Sql, SqlValue, Transaction};
use crate::{Result, StoreError};

/// The columns of a row.
pub(crate) const COLUMNS: &str = "urn, seq, state, created, content, rules, status, ics, lost";

/// The end of the statement that puts rows in the place of others.
const REPLACING: &str = " ON CONFLICT (urn) DO UPDATE SET seq = excluded.seq, state = excluded.state, \
     created = excluded.created, content = excluded.content, rules = excluded.rules, status = excluded.status, \
     ics = excluded.ics, lost = excluded.lost";

/// Whether the edition of a row is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeState {
    Present,
    Recalled,
    Removed,
}

impl ChangeState {
    fn read(code: i64) -> Result<Self> {
        match code {
            0 => Ok(Self::Present),
            1 => Ok(Self::Recalled),
            2 => Ok(Self::Removed),
            code => Err(StoreError::corrupt(format!("{code} is not the state of a change"))),
        }
    }

    fn code(self) -> i64 {
        match self {
            Self::Present => 0,
            Self::Recalled => 1,
            Self::Removed => 2,
        }
    }
}

/// What happened to an edition in a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EditionEvent {
    /// It came, under a URN that no edition had.
    Created { codes: Vec<String>, is_recalled: bool },
    /// Another revision took the place of one.
    Replaced { codes: Vec<String>, former: String, is_content: bool },
    /// Its status changed, or what the operator says of its withdrawal.
    Status,
    /// It was recalled, or the notice of its recall changed.
    Recalled,
    /// Its recall ended.
    Reinstated,
    /// It was removed, or has another URN now.
    Removed,
    /// Nothing that a caller sees changed.
    Unseen,
}

impl EditionEvent {
    /// The event of rows that are inserted.
    pub(crate) fn created(offered: &EditionRows) -> Self {
        Self::Created { codes: offered.codes(), is_recalled: offered.is_recalled() }
    }

    /// The event of rows that take the place of others.
    pub(crate) fn replaced(stored: &EditionRows, offered: &EditionRows) -> Self {
        if stored.shows_the_same(offered) {
            return Self::Unseen;
        }
        Self::Replaced {
            codes: offered.codes(),
            former: stored.text("revision").to_owned(),
            is_content: !stored.has_same_material(offered),
        }
    }
}

/// The row of a URN. See the comment in the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangeRow {
    pub(crate) urn: String,
    pub(crate) seq: i64,
    pub(crate) state: ChangeState,
    pub(crate) created: i64,
    pub(crate) content: i64,
    pub(crate) rules: i64,
    pub(crate) status: i64,
    pub(crate) ics: NumberedCodes,
    pub(crate) lost: NumberedCodes,
}

/// The number of a code that an edition got while it was recalled: nobody saw it with this code.
pub(crate) const UNSEEN: i64 = i64::MAX;

/// ICS codes, each with the number of a change.
pub(crate) type NumberedCodes = BTreeMap<String, i64>;

impl ChangeRow {
    /// Reads a row of [`COLUMNS`].
    pub(crate) fn read(row: &ResultRow) -> Result<Self> {
        Ok(Self {
            urn: row.text("urn")?.to_owned(),
            seq: row.int("seq")?,
            state: ChangeState::read(row.int("state")?)?,
            created: row.int("created")?,
            content: row.int("content")?,
            rules: row.int("rules")?,
            status: row.int("status")?,
            ics: read_codes(row.text("ics")?)?,
            lost: read_codes(row.text("lost")?)?,
        })
    }

    fn values(&self) -> Vec<SqlValue> {
        vec![
            self.urn.as_str().into(),
            self.seq.into(),
            self.state.code().into(),
            self.created.into(),
            self.content.into(),
            self.rules.into(),
            self.status.into(),
            codes_text(&self.ics).into(),
            codes_text(&self.lost).into(),
        ]
    }

    /// The row of a URN that comes now, with what is known of an edition that had it before.
    fn created(urn: &str, before: Option<Self>, codes: &[String], is_recalled: bool, seq: i64) -> Self {
        let mut lost = NumberedCodes::new();
        if let Some(before) = before {
            lost = before.lost;
            // Who was granted the edition by these codes saw it until its removal.
            let seen = before.ics.into_iter().filter(|(_, number)| *number != UNSEEN);
            lost.extend(seen.map(|(code, _)| (code, before.seq)));
        }
        lost.retain(|code, _| !codes.contains(code));
        Self {
            urn: urn.to_owned(),
            seq,
            state: if is_recalled { ChangeState::Recalled } else { ChangeState::Present },
            created: seq,
            content: 0,
            rules: 0,
            status: 0,
            ics: codes.iter().map(|code| (code.clone(), seq)).collect(),
            lost,
        }
    }

    /// Notes which codes the edition has no more, when it gets these.
    fn lose_codes(&mut self, codes: &[String], seq: i64) {
        for (code, number) in std::mem::take(&mut self.ics) {
            if !codes.contains(&code) && number != UNSEEN {
                self.lost.insert(code, seq);
            }
        }
        for code in codes {
            self.lost.remove(code);
        }
    }

    /// The row after an event with this number.
    fn after(urn: &str, before: Option<Self>, event: &EditionEvent, seq: i64) -> Option<Self> {
        if let EditionEvent::Created { codes, is_recalled } = event {
            return Some(Self::created(urn, before, codes, *is_recalled, seq));
        }
        let mut row = before?;
        let is_present = row.state == ChangeState::Present;
        match event {
            EditionEvent::Created { .. } | EditionEvent::Unseen => return Some(row),
            EditionEvent::Replaced { codes, is_content, .. } => {
                let known = row.ics.clone();
                // Nobody sees what changes of a recalled edition: a code is lost when it was seen last.
                row.lose_codes(codes, if is_present { seq } else { row.seq });
                let gained = if is_present { seq } else { UNSEEN };
                let since = |code: &String| known.get(code).copied().unwrap_or(gained);
                row.ics = codes.iter().map(|code| (code.clone(), since(code))).collect();
                if *is_content {
                    row.content = seq;
                } else {
                    row.rules = seq;
                }
                if is_present {
                    row.seq = seq;
                }
            }
            EditionEvent::Status if is_present => (row.status, row.seq) = (seq, seq),
            EditionEvent::Status => {}
            EditionEvent::Recalled => (row.state, row.seq) = (ChangeState::Recalled, seq),
            EditionEvent::Reinstated => {
                (row.state, row.seq, row.created) = (ChangeState::Present, seq, seq);
                for number in row.ics.values_mut().filter(|number| **number == UNSEEN) {
                    *number = seq;
                }
            }
            EditionEvent::Removed => (row.state, row.seq) = (ChangeState::Removed, seq),
        }
        Some(row)
    }
}

fn read_codes(text: &str) -> Result<NumberedCodes> {
    let mut codes = NumberedCodes::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let (code, number) = word
            .rsplit_once('@')
            .ok_or_else(|| StoreError::corrupt(format!("the ICS code `{word}` has no number")))?;
        codes.insert(code.to_owned(), number.parse().map_err(StoreError::corrupt)?);
    }
    Ok(codes)
}

fn codes_text(codes: &NumberedCodes) -> String {
    let words: Vec<String> = codes.iter().map(|(code, number)| format!("{code}@{number}")).collect();
    words.join(" ")
}

/// Events of a transaction, by the URN of the edition. Those of amendments are with the editions that they
/// amend, before and after.
#[derive(Default)]
pub(crate) struct EditionEvents {
    events: BTreeMap<String, EditionEvent>,
    /// The editions that each of these amendments amends.
    amended: BTreeMap<String, BTreeSet<String>>,
}

impl EditionEvents {
    /// Adds what happened to an edition. What changes more of what callers see takes precedence.
    pub(crate) fn add(&mut self, urn: &str, event: EditionEvent) {
        match self.events.get(urn) {
            None | Some(EditionEvent::Unseen) => {
                self.events.insert(urn.to_owned(), event);
            }
            Some(EditionEvent::Status) if event != EditionEvent::Unseen => {
                self.events.insert(urn.to_owned(), event);
            }
            Some(_) => {}
        }
    }

    /// Adds the editions that an amendment amends; nothing where these rows are of no amendment.
    pub(crate) async fn add_amended(&mut self, tx: &mut dyn Transaction, rows: &EditionRows) -> Result<()> {
        let found = amending::amended_by(tx, rows).await?;
        if !found.is_empty() {
            self.amended.entry(rows.text("urn").to_owned()).or_default().extend(found);
        }
        Ok(())
    }

    /// Adds the result of computing the status of editions again.
    pub(crate) fn add_statuses(&mut self, changed: crate::catalogue::status::StatusChanges) {
        for urn in changed.status {
            self.add(&urn, EditionEvent::Status);
        }
        for urn in changed.order {
            self.add(&urn, EditionEvent::Unseen);
        }
    }

    /// Gives each event a number in the change feed, and writes the rows of what callers see.
    pub(crate) async fn record(self, tx: &mut dyn Transaction, now: SystemTime) -> Result<()> {
        let subjects: Vec<Subject> = self.events.keys().cloned().map(Subject::Edition).collect();
        let first = feed::record(tx, &subjects, now).await?;
        let mut seen = Vec::new();
        for ((urn, event), seq) in self.events.into_iter().zip(first..) {
            if event != EditionEvent::Unseen {
                seen.push((urn, event, seq));
            }
        }
        let mut numbered = BTreeSet::new();
        for batch in seen.chunks(ROW_BATCH) {
            numbered.extend(write(tx, batch).await?);
        }
        seen.retain(|(_, _, seq)| numbered.contains(seq));
        amending::record(tx, &self.amended, &seen).await
    }
}

/// Writes the rows of events with their numbers. Gives the numbers of those that callers can see: what
/// changes of a recalled edition is not among them.
async fn write(tx: &mut dyn Transaction, events: &[(String, EditionEvent, i64)]) -> Result<BTreeSet<i64>> {
    let mut before = BTreeMap::new();
    let mut sql = Sql::new(&format!("SELECT {COLUMNS} FROM edition_changes WHERE urn IN "));
    sql.tuple(events.iter().map(|(urn, _, _)| urn.as_str().into()));
    for row in tx.read(sql).await? {
        let row = ChangeRow::read(&row)?;
        before.insert(row.urn.clone(), row);
    }
    let (mut rows, mut numbered) = (Vec::new(), BTreeSet::new());
    let mut revisions: Vec<Vec<SqlValue>> = Vec::new();
    let mut begun_or_ended: Vec<SqlValue> = Vec::new();
    for (urn, event, seq) in events {
        if let Some(row) = ChangeRow::after(urn, before.remove(urn), event, *seq) {
            numbered.insert(row.seq);
            rows.push(row.values());
        }
        match event {
            EditionEvent::Replaced { former, .. } => {
                revisions.push(vec![urn.as_str().into(), (*seq).into(), former.as_str().into()]);
            }
            EditionEvent::Created { .. } | EditionEvent::Removed => begun_or_ended.push(urn.as_str().into()),
            _ => {}
        }
    }
    if !begun_or_ended.is_empty() {
        let mut sql = Sql::new("DELETE FROM revision_changes WHERE urn IN ");
        sql.tuple(begun_or_ended);
        tx.run(sql).await?;
    }
    tx.insert("edition_changes", COLUMNS, rows, REPLACING).await?;
    let replaced: Vec<SqlValue> = revisions.iter().map(|row| row[0].clone()).collect();
    tx.insert("revision_changes", "urn, seq, revision", revisions, "").await?;
    forget_old_revisions(tx, replaced).await?;
    Ok(numbered)
}

/// Most replaced revisions of an edition of which the change is known.
pub(crate) const MAX_REVISION_CHANGES: i64 = MAX_EARLIER_REVISIONS;

/// Removes the oldest replaced revisions of these editions beyond the limit.
async fn forget_old_revisions(tx: &mut dyn Transaction, urns: Vec<SqlValue>) -> Result<()> {
    if urns.is_empty() {
        return Ok(());
    }
    let mut sql = Sql::new("SELECT urn FROM revision_changes WHERE urn IN ");
    sql.tuple(urns).push(&format!(" GROUP BY urn HAVING COUNT(*) > {MAX_REVISION_CHANGES}"));
    for row in tx.read(sql).await? {
        let oldest = "DELETE FROM revision_changes WHERE urn = $1 AND seq = \
             (SELECT MIN(seq) FROM revision_changes WHERE urn = $2)";
        tx.run(Sql::new(oldest).bind(row.text("urn")?).bind(row.text("urn")?)).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn created(codes: &[&str]) -> EditionEvent {
        EditionEvent::Created { codes: owned(codes), is_recalled: false }
    }

    fn owned(codes: &[&str]) -> Vec<String> {
        codes.iter().map(|code| (*code).to_owned()).collect()
    }

    fn corrected(codes: &[&str]) -> EditionEvent {
        EditionEvent::Replaced { codes: owned(codes), former: "r".to_owned(), is_content: true }
    }

    /// The row after these events, numbered from 1 on.
    fn after(events: &[EditionEvent]) -> ChangeRow {
        let mut row = None;
        for (event, seq) in events.iter().zip(1..) {
            row = ChangeRow::after("urn", row, event, seq);
        }
        row.unwrap()
    }

    #[test]
    fn codes_have_the_change_that_gave_and_the_one_that_took_them() {
        let row = after(&[created(&["67", "13"]), corrected(&["13", "25"]), corrected(&["67"])]);
        assert_eq!((codes_text(&row.ics), codes_text(&row.lost)), ("67@3".into(), "13@3 25@3".into()));
        assert_eq!(read_codes(&codes_text(&row.lost)).unwrap(), row.lost);
        let row = after(&[created(&["67"]), corrected(&["67", "13"])]);
        assert_eq!((codes_text(&row.ics), codes_text(&row.lost)), ("13@2 67@1".into(), String::new()));
    }

    #[test]
    fn an_edition_that_comes_again_is_new_and_keeps_when_its_codes_were_lost() {
        let row = after(&[created(&["67"]), EditionEvent::Removed, created(&["13"])]);
        assert_eq!((row.state, row.seq, row.created), (ChangeState::Present, 3, 3));
        assert_eq!((codes_text(&row.ics), codes_text(&row.lost)), ("13@3".into(), "67@2".into()));
    }

    #[test]
    fn a_code_that_a_recalled_edition_gets_was_visible_to_nobody() {
        let events = [created(&["67"]), EditionEvent::Recalled, corrected(&["67", "13"])];
        let row = after(&events);
        assert_eq!(row.ics["13"], UNSEEN);
        assert_eq!(after(&[&events[..], &[EditionEvent::Reinstated]].concat()).ics["13"], 4);
        let row = after(&[&events[..], &[EditionEvent::Removed, created(&["25"])]].concat());
        assert_eq!((codes_text(&row.ics), codes_text(&row.lost)), ("25@5".into(), "67@4".into()));
    }

    #[test]
    fn what_changes_of_a_recalled_edition_has_no_number_until_it_is_there_again() {
        let events = [created(&[]), EditionEvent::Recalled, corrected(&[]), EditionEvent::Status];
        let row = after(&events);
        assert_eq!((row.state, row.seq), (ChangeState::Recalled, 2));
        let row = after(&[&events[..], &[EditionEvent::Reinstated]].concat());
        assert_eq!((row.state, row.seq, row.created), (ChangeState::Present, 5, 5));
    }
}
