//! Two editions that a caller may compare: both are visible to them, and at least one may be read.

use axum::http::header;
use bytes::Bytes;
use futures::future::BoxFuture;
use norma_api::problem::{Code, ProblemError};
use norma_api::query::ComparisonQuery;
use norma_api::shapes::{AccessLevel, ComparedEdition};
use norma_compare::Record;
use norma_handlers::{AuthorizedComparison, AuthorizedEdition, AuthorizedPair, Failure, OneSided, Side};
use norma_model::{Lang, Urn};
use norma_store::{GrantedEdition, Level};

use super::edition::Authorized;
use super::services::RequestServices;
use super::unlicensed;
use crate::comparison::{self, ComparisonError};
use crate::config::Ingest;
use crate::http::failed::failed;
use crate::state::Shared;
use crate::traces::Trace;

/// Two editions, the older one first.
pub(in crate::http) struct Pair<'s> {
    shared: &'s Shared,
    granted: [GrantedEdition; 2],
    readable: Readable,
    named: (Side, bool),
    language: Lang,
    trace: Trace,
}

/// The editions of a pair that its caller may read. Of one that they may only discover there is no [`Authorized`].
enum Readable {
    Both(Box<[Authorized; 2]>),
    One(Side, Box<Authorized>),
}

impl<'s> Pair<'s> {
    /// The pair of the edition in the path and the other one, where their caller may read one of them and they can be compared.
    /// `exact`: both were asked for by their canonical URNs.
    ///
    /// # Errors
    /// The caller may read neither, or the editions cannot be compared.
    pub(super) async fn new(
        shared: &'s Shared,
        (first, second): (GrantedEdition, GrantedEdition),
        exact: bool,
        query: &ComparisonQuery,
        services: &RequestServices,
    ) -> Result<Self, Failure> {
        let named = if first.precedes(&second) { Side::Older } else { Side::Newer };
        let granted = match named {
            Side::Older => [first, second],
            Side::Newer => [second, first],
        };
        let authorized = |side: Side| Authorized::new(granted[index(side)].clone(), exact, services);
        let readable = match granted.each_ref().map(|one| one.level() >= Level::Read) {
            [true, true] => Readable::Both(Box::new([Side::Older, Side::Newer].map(authorized))),
            [true, false] => Readable::One(Side::Older, Box::new(authorized(Side::Older))),
            [false, true] => Readable::One(Side::Newer, Box::new(authorized(Side::Newer))),
            [false, false] => return Err(unlicensed(&granted[index(named)].entry().summary.urn)),
        };
        let [older, newer] = granted.each_ref().map(|one| &one.entry().summary.urn);
        if older == newer {
            return Err(not_comparable(format!(
                "`with` names the edition in the path, {older}; expected another edition."
            )));
        }
        let is_one_document = older.document_urn() == newer.document_urn();
        if !is_one_document && !query.different_documents {
            let units = async |one: &GrantedEdition| comparison::units(&one.handle()).await.map_err(refused);
            if !units(&granted[0]).await?.same_document(&units(&granted[1]).await?) {
                return Err(not_comparable(format!(
                    "{older} and {newer} are editions of different documents; to compare them, send \
                     `differentDocuments=true`."
                )));
            }
        }
        let language = language(&granted, query.language.as_ref())?;
        let trace = services.trace.clone();
        Ok(Self { shared, granted, readable, named: (named, exact), language, trace })
    }

    /// The whole comparison with its stored form: the stored one, or one that is made now. Comparisons are made a few at a time, and
    /// what was begun is finished and stored, whether or not its caller still waits.
    async fn record(&self) -> Result<(Record, Bytes), Failure> {
        let settings = &self.shared.settings;
        let limits = Ingest {
            max_comparison_units: settings.limits.max_compared_provisions,
            ..settings.ingest.clone()
        };
        let [older, newer] = self.granted.each_ref().map(GrantedEdition::handle);
        let step = self.trace.step("read");
        if let Some(stored) =
            comparison::stored(&older, &newer, &self.language, &limits).await.map_err(refused)?
        {
            return Ok(stored);
        }
        step.end();
        let _step = self.trace.step("compare");
        let turn = self.shared.comparisons.clone().acquire_owned().await;
        let turn = turn.map_err(|error| Failure::internal(&error))?;
        let language = self.language.clone();
        // Of equal requests that waited for a turn, all but the first find it stored.
        let made = tokio::spawn(async move {
            let made = comparison::comparison(&older, &newer, &language, &limits).await;
            drop(turn);
            made
        });
        made.await.map_err(|error| Failure::internal(&error))?.map_err(refused)
    }
}

impl AuthorizedPair for Pair<'_> {
    fn edition(&self, side: Side) -> ComparedEdition<'_> {
        let granted = &self.granted[index(side)];
        let entry = granted.entry();
        ComparedEdition {
            urn: entry.summary.urn.as_str().into(),
            revision: entry.revision.as_str().into(),
            reference: entry.summary.reference.as_str().into(),
            title: entry.summary.title.as_str().into(),
            access: match granted.level() {
                Level::Discover => AccessLevel::Discover,
                Level::Read => AccessLevel::Read,
            },
        }
    }

    fn readable(&self, side: Side) -> Option<&dyn AuthorizedEdition> {
        match &self.readable {
            Readable::Both(editions) => Some(&editions[index(side)]),
            Readable::One(one, edition) => (*one == side).then_some(&**edition as &dyn AuthorizedEdition),
        }
    }

    fn named(&self) -> (Side, bool) {
        self.named
    }

    fn language(&self) -> &Lang {
        &self.language
    }

    fn comparison(&self) -> BoxFuture<'_, Result<(AuthorizedComparison, String), Failure>> {
        Box::pin(async move {
            match &self.readable {
                Readable::Both(editions) => editions[0].reserve_work_with(&[&editions[1]]).await?,
                Readable::One(_, edition) => edition.reserve_work_with(&[]).await?,
            }
            let (record, stored) = self.record().await?;
            let compared = match &self.readable {
                Readable::Both(_) => AuthorizedComparison::Both(record),
                Readable::One(side, _) => AuthorizedComparison::One(*side, OneSided::new(&record, *side)),
            };
            Ok((compared, norma_handlers::digest(&stored)))
        })
    }
}

fn index(side: Side) -> usize {
    match side {
        Side::Older => 0,
        Side::Newer => 1,
    }
}

/// The language that is compared: the one that was asked for, or the first that both editions have.
fn language([older, newer]: &[GrantedEdition; 2], asked: Option<&Lang>) -> Result<Lang, Failure> {
    let [older, newer] = [older, newer].map(|granted| &granted.entry().summary);
    let common = norma_compare::languages_of_both(&older.languages, &newer.languages);
    let list = |languages: &[Lang]| languages.iter().map(Lang::as_str).collect::<Vec<_>>().join(", ");
    let found = match asked {
        None => common.first(),
        Some(asked) => common.iter().find(|language| *language == asked),
    };
    found.cloned().ok_or_else(|| match (asked, common.is_empty()) {
        (Some(asked), false) => {
            let detail = format!("`language`: found {asked}, expected one of {}.", list(&common));
            let cause = ProblemError {
                detail: detail.clone().into(),
                parameter: Some("language".into()),
                allowed: common.iter().map(|language| language.to_string().into()).collect(),
                ..ProblemError::default()
            };
            Failure::new(Code::InvalidParameter, detail).because(cause)
        }
        _ => not_comparable(format!(
            "The editions have no language in common: {} is in {}, {} in {}.",
            older.urn,
            list(&older.languages),
            newer.urn,
            list(&newer.languages)
        )),
    })
}

fn not_comparable(detail: String) -> Failure {
    let cause = ProblemError {
        detail: detail.clone().into(),
        parameter: Some("with".into()),
        ..ProblemError::default()
    };
    Failure::new(Code::NotComparable, detail).because(cause)
}

/// The answer where a comparison cannot be made. Of an edition that the caller may only discover it says no more than the limit.
fn refused(error: ComparisonError) -> Failure {
    let too_large = |urns: &[&Urn], limit: String| {
        let urns: Vec<&str> = urns.iter().map(|urn| urn.as_str()).collect();
        Failure::new(Code::ComparisonTooLarge, format!("{}: expected at most {limit}.", urns.join(", ")))
    };
    match error {
        ComparisonError::Store(error) => failed(error),
        ComparisonError::TooManyUnits { urn, limit, .. } => {
            too_large(&[&urn], format!("{limit} provisions (`max-compared-provisions`)"))
        }
        ComparisonError::TooLarge { older, newer, limit, .. } => {
            too_large(&[&older, &newer], format!("{limit} bytes of a comparison (`max-comparison-size`)"))
        }
        error @ ComparisonError::OtherVersion { .. } => {
            let detail = "This standard has to be rebuilt by the operator before it can be compared.";
            Failure::new(Code::Unavailable, detail)
                .with(header::RETRY_AFTER, "60")
                .caused_by(error.to_string())
        }
        error @ ComparisonError::Failed { .. } => Failure::internal(&error),
    }
}
