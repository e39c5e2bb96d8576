//! Access policy: tenants, grants, suspensions, and the rights that follow for one caller on one day.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use norma_model::{PartialDate, Urn, UrnPattern};
use sha2::{Digest as _, Sha256};

use crate::entry::Summary;
use crate::{Result, StoreError};

/// The level of a grant; a higher one includes a lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Use of lists, bibliographic data and the section hierarchy.
    Discover,
    /// Use of everything that is stored of a standard, its text and its pictures included.
    Read,
}

/// A day in UTC, `2026-05-01`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(String);

impl Day {
    /// The day at this time.
    pub fn from_time(time: SystemTime) -> Self {
        let zoned = jiff::Timestamp::try_from(time).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        Self(zoned.to_zoned(jiff::tz::TimeZone::UTC).date().to_string())
    }

    /// The day as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Day {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self> {
        match text.parse::<PartialDate>() {
            Ok(date) if date.as_str().len() == 10 => Ok(Self(date.as_str().to_owned())),
            _ => Err(StoreError::Invalid(format!("`{text}` is not a valid day: write YYYY-MM-DD"))),
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which standards a grant is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrantScope {
    /// All whose URN fits.
    Urns(UrnPattern),
    /// All with this ICS code or one below it: `67`, `67.060`.
    Ics(String),
    /// The editions with these URNs, and no others.
    List(BTreeSet<Urn>),
}

/// The rights that a tenant, or one client of it, is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Id of the tenant whose callers get the rights.
    pub tenant: String,
    /// One client of the tenant; all of them when absent. A GUID counts in any case, another name letter for
    /// letter.
    pub client: Option<String>,
    /// The standards that the grant is for.
    pub scope: GrantScope,
    /// The level of the grant.
    pub level: Level,
    /// First day; no bound when absent.
    pub from: Option<Day>,
    /// Last day; no bound when absent.
    pub until: Option<Day>,
}

impl Grant {
    /// True if the grant is valid on the day.
    pub fn holds_on(&self, day: &Day) -> bool {
        self.from.as_ref().is_none_or(|from| from <= day)
            && self.until.as_ref().is_none_or(|until| until >= day)
    }
}

/// The differences between the tokens of one tenant and the settings; `None` means as in the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenShape {
    /// Accepted values of `typ`.
    pub types: Option<Vec<String>>,
    /// True if `typ` may be absent.
    pub type_optional: Option<bool>,
    /// The claim that names the tenant; empty if no claim does.
    pub tenant_claim: Option<String>,
    /// The claims that name the client.
    pub client_claims: Option<Vec<String>>,
    /// The claim with the roles, or its path.
    pub role_claim: Option<String>,
    /// The form of that claim.
    pub role_form: Option<String>,
    /// The rule by which its tokens show that they were issued to applications.
    pub app_only: Option<String>,
    /// The names under which its tokens address the service.
    pub audiences: Option<Vec<String>>,
    /// Signature algorithms, among those of the settings.
    pub algorithms: Option<Vec<String>>,
}

/// A customer organisation whose tokens are accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tenant {
    /// Id of the tenant at the identity provider, as tokens state it.
    pub id: String,
    /// Name for people; nothing is decided by it.
    pub name: String,
    /// Issuer of its tokens, if it is not that of the configured template.
    pub issuer: Option<String>,
    /// Address of its key set, if it is not that of the configured template.
    pub jwks_uri: Option<String>,
    /// The form of its tokens.
    pub tokens: TokenShape,
    /// True if all of its callers are refused.
    pub suspended: bool,
}

/// A caller on a day. Fields are private: the only way to a viewer is [`Viewer::verified`].
///
/// ```compile_fail,E0451
/// # use norma_store::{Day, Viewer};
/// # let today: Day = "2026-05-01".parse().unwrap();
/// Viewer { tenant: "acme".to_owned(), client: "app".to_owned(), today };
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Viewer {
    tenant: String,
    client: String,
    today: Day,
}

impl Viewer {
    /// The caller of a verified token or an opened ticket, on the day of the request. In a service only the
    /// access step calls this (`crates/cli/tests/imports.rs`).
    pub fn verified(tenant: impl Into<String>, client: impl Into<String>, today: Day) -> Self {
        Self { tenant: tenant.into(), client: client.into(), today }
    }

    /// The tenant of the caller.
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// The client of that tenant.
    pub fn client(&self) -> &str {
        &self.client
    }
}

/// The longest time that an asset URL is valid, and that a signing key counts after another one replaced it.
pub const MAX_ASSET_URL_LIFETIME: Duration = Duration::from_secs(15 * 60);

/// A secret by which asset URLs are signed.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// The secret of 256 random bits, by which URLs are sealed.
    pub secret: [u8; 32],
    /// The time when it was made.
    pub made: SystemTime,
    /// The time when the next key replaced it; `None` for the current one.
    pub replaced: Option<SystemTime>,
}

impl SigningKey {
    /// True if a URL with this expiry, signed by the key, is valid: a replaced key signs no URL for longer
    /// than before. Instances that have not seen the rotation yet get some seconds.
    pub fn may_sign_until(&self, expiry: SystemTime) -> bool {
        self.replaced.is_none_or(|replaced| expiry <= replaced + MAX_ASSET_URL_LIFETIME + ROTATION_TAKES)
    }
}

/// Time in which all instances see a rotation, and by which their clocks may differ.
pub(crate) const ROTATION_TAKES: Duration = Duration::from_secs(5);

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("made", &self.made).finish_non_exhaustive()
    }
}

/// All that decides about access, as of one moment.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The tenants, by id.
    pub tenants: Vec<Tenant>,
    /// Suspended clients with their tenants; a GUID in lower case.
    pub suspended: BTreeSet<(String, String)>,
    /// The grants with their ids, in the order in which they were given.
    pub grants: Vec<(i64, Grant)>,
    /// The keys of asset URLs, the current one first.
    pub signing_keys: Vec<SigningKey>,
}

impl Policy {
    /// The tenant of this id.
    pub fn tenant(&self, id: &str) -> Option<&Tenant> {
        self.tenants.binary_search_by(|t| t.id.as_str().cmp(id)).ok().map(|index| &self.tenants[index])
    }

    /// True if this client, or its whole tenant, is refused, as is an unknown tenant.
    pub fn is_suspended(&self, tenant: &str, client: &str) -> bool {
        self.tenant(tenant).is_none_or(|t| t.suspended)
            || self.suspended.contains(&(tenant.to_owned(), canonical_client(client)))
    }

    /// The suspended clients of a tenant.
    pub fn suspended_clients(&self, tenant: &str) -> impl Iterator<Item = &str> {
        self.suspended.iter().filter(move |(t, _)| t == tenant).map(|(_, client)| client.as_str())
    }

    /// The rights of all matching grants together, for an operator's lists; no caller is served by it.
    pub fn given_by(&self, fits: impl Fn(i64, &Grant) -> bool) -> GivenRights {
        let mut rights = Rights::default();
        for (id, grant) in &self.grants {
            if fits(*id, grant) {
                rights.add(&grant.scope, grant.level);
            }
        }
        GivenRights(rights)
    }

    /// The rights of a viewer.
    pub(crate) fn rights(&self, viewer: &Viewer) -> Rights {
        let is_suspended = self.is_suspended(&viewer.tenant, &viewer.client);
        let mut rights = Rights { is_suspended, ..Rights::default() };
        let client = canonical_client(&viewer.client);
        for (_, grant) in &self.grants {
            // A grant without a client is for all clients of its tenant.
            let is_for_client = grant.client.as_ref().is_none_or(|granted| *granted == client);
            if grant.tenant == viewer.tenant && is_for_client && grant.holds_on(&viewer.today) {
                rights.add(&grant.scope, grant.level);
            }
        }
        rights.name = rights.digest();
        rights
    }
}

/// The rights of some grants together: see [`Policy::given_by`].
pub struct GivenRights(Rights);

impl GivenRights {
    /// The level that they give for an edition.
    pub fn level(&self, summary: &Summary) -> Option<Level> {
        self.0.level(summary.urn.as_str(), &summary.ics)
    }
}

/// The rule of a grant with a list of URNs.
#[derive(Clone, Debug)]
pub(crate) struct ListRule {
    pub(crate) level: Level,
    pub(crate) urns: HashSet<String>,
    /// SHA-256 of the URNs.
    name: [u8; 32],
}

impl ListRule {
    fn new(level: Level, list: &BTreeSet<Urn>) -> Self {
        let (mut urns, mut name) = (HashSet::with_capacity(list.len()), Sha256::new());
        for urn in list {
            name.update(urn.as_str());
            name.update("\n");
            urns.insert(urn.as_str().to_owned());
        }
        Self { level, urns, name: name.finalize().into() }
    }
}

/// The rights of one viewer. Each kind is indexed, so a lookup does not slow down with their number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rights {
    /// Prefixes of URNs; each is one of [`prefixes_of`].
    pub(crate) prefixes: BTreeMap<String, Level>,
    pub(crate) exact: BTreeMap<String, Level>,
    pub(crate) classes: BTreeMap<String, Level>,
    pub(crate) lists: Vec<ListRule>,
    pub(crate) is_suspended: bool,
    /// Equal rules have equal names.
    name: [u8; 32],
}

impl Rights {
    fn add(&mut self, scope: &GrantScope, level: Level) {
        let (rules, key) = match scope {
            GrantScope::Urns(pattern) => match pattern.prefix() {
                Some(prefix) => (&mut self.prefixes, prefix.to_owned()),
                None => (&mut self.exact, pattern.to_string()),
            },
            GrantScope::Ics(code) => (&mut self.classes, code.clone()),
            GrantScope::List(urns) => {
                self.lists.push(ListRule::new(level, urns));
                return;
            }
        };
        let known = rules.entry(key).or_insert(level);
        *known = level.max(*known);
    }

    /// A short name of the rights, however many there are, under which results for them are cached.
    pub(crate) fn name(&self) -> [u8; 32] {
        self.name
    }

    fn digest(&self) -> [u8; 32] {
        let Self { prefixes, exact, classes, lists, is_suspended: _, name: _ } = self;
        // By what is in them: a rename changes the list of a grant under the grant's number.
        let lists: BTreeSet<(Level, [u8; 32])> = lists.iter().map(|list| (list.level, list.name)).collect();
        Sha256::digest(format!("{:?}", (prefixes, exact, classes, lists))).into()
    }

    /// The highest level for this edition.
    pub(crate) fn level<S: AsRef<str>>(&self, urn: &str, ics: &[S]) -> Option<Level> {
        let mut highest = self.exact.get(urn).copied();
        for prefix in prefixes_of(urn) {
            highest = highest.max(self.prefixes.get(prefix).copied());
        }
        for code in ics {
            highest = highest.max(self.class_level(code.as_ref()));
        }
        for list in &self.lists {
            if list.urns.contains(urn) {
                highest = highest.max(Some(list.level));
            }
        }
        highest
    }

    /// The highest level that the rules give for this ICS code.
    pub(crate) fn class_level(&self, code: &str) -> Option<Level> {
        let mut highest = None;
        for class in classes(code) {
            highest = highest.max(self.classes.get(class).copied());
        }
        highest
    }
}

/// The prefixes of a URN, or of a prefix of URNs, that patterns can name: nothing, each up to a colon, that
/// up to the `ed-` of an edition; the shortest first.
fn prefixes_of(urn: &str) -> impl Iterator<Item = &str> {
    let colons = urn.match_indices(':').flat_map(move |(at, _)| {
        let edition = urn[at + 1..].starts_with("ed-").then(|| &urn[..at + 4]);
        std::iter::once(&urn[..=at]).chain(edition)
    });
    std::iter::once("").chain(colons)
}

/// An ICS code and the classes above it.
fn classes(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices('.').map(|(at, _)| &code[..at]).chain(std::iter::once(code))
}

/// The form in which clients are stored and compared, as in the verifier of tokens: a GUID in lower case,
/// another name as it is.
pub(crate) fn canonical_client(client: &str) -> String {
    if is_guid(client) { client.to_ascii_lowercase() } else { client.to_owned() }
}

fn is_guid(text: &str) -> bool {
    if text.len() != 36 {
        return false;
    }
    for (at, byte) in text.bytes().enumerate() {
        let fits = match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Refuses the name of a client that cannot be in a token.
pub(crate) fn check_client(client: &str) -> Result<()> {
    if client.is_empty() || client.contains(char::is_whitespace) {
        let hint = "expected the client's id; leave it out to mean all clients of the tenant";
        return Err(StoreError::Invalid(format!(
            "the client `{client}` is empty or has white space: {hint}"
        )));
    }
    Ok(())
}

/// Refuses a text that is not an ICS class of one, two or three fields (`67`, `67.060`, `67.060.10`).
pub(crate) fn check_ics(code: &str) -> Result<()> {
    if is_ics(code) {
        Ok(())
    } else {
        Err(StoreError::Invalid(format!(
            "`{code}` is not a valid ICS class: write `67`, `67.060` or `67.060.10`"
        )))
    }
}

fn is_ics(code: &str) -> bool {
    let mut widths = [2, 3, 2].into_iter();
    for field in code.split('.') {
        // A fourth field has no width.
        let Some(width) = widths.next() else { return false };
        if field.len() != width || !field.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_whole_date() {
        assert_eq!("2026-05-01".parse::<Day>().unwrap().as_str(), "2026-05-01");
        for wrong in ["2026", "2026-05", "2026-13-01", ""] {
            let error = wrong.parse::<Day>().unwrap_err().to_string();
            assert!(error.contains("write YYYY-MM-DD"), "{wrong}: {error}");
        }
    }

    #[test]
    fn an_ics_class_has_one_to_three_fields_of_fixed_widths() {
        for class in ["67", "67.060", "67.060.10"] {
            check_ics(class).unwrap();
        }
        for wrong in ["", "6", "670", "67.", "67.06", "67.060.1", "67.060.10.01", "6a", ".060", "６７"] {
            assert!(check_ics(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_highest_of_all_levels_that_cover_an_edition_counts() {
        let mut rights = Rights::default();
        rights.add(&GrantScope::Urns("urn:iso:std:iso:*".parse().unwrap()), Level::Discover);
        rights.add(&GrantScope::Ics("67".to_owned()), Level::Read);
        let urn = "urn:iso:std:iso:1:ed-1:en";
        assert_eq!(rights.level::<&str>(urn, &[]), Some(Level::Discover));
        assert_eq!(rights.level(urn, &["13", "67.060.10"]), Some(Level::Read));
        assert_eq!(rights.level(urn, &["670"]), Some(Level::Discover));
        assert_eq!(rights.level::<&str>("urn:iso:std:iec:1:ed-1:en", &[]), None);
        rights.add(&GrantScope::List([urn.parse().unwrap()].into()), Level::Read);
        assert_eq!(rights.level::<&str>(urn, &[]), Some(Level::Read));
    }
}
