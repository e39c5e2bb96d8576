//! Tests of rules for users: a subject is required in place of a role, and all else as for applications.

use norma_auth::{Reject, Rules, TokenRule};

use crate::{
    forge::*,
    wrong::{all, with_claims},
};

fn user_rules() -> Rules {
    let mut rules = Rules::for_users([AUDIENCE, AUDIENCE_URI]);
    rules.keys.jitter_percent = 0;
    rules
}

/// The claims of a delegated token: a user, a scope and no role.
fn delegated() -> Members {
    claims().without("roles").text("scp", "standards.read").text("sub", "user-1")
}

#[tokio::test]
async fn a_token_of_a_user_needs_no_role_and_names_its_subject() {
    let (verifier, _) = stage(user_rules());
    let caller = verifier.verify(&with_claims(&delegated().to_string()), at(0)).await.unwrap();
    assert_eq!((caller.subject.as_deref(), caller.client.as_str()), (Some("user-1"), CLIENT));
    assert!(caller.roles.is_empty());
    let with_roles = delegated().set("roles", r#""one text""#).to_string();
    assert!(verifier.verify(&with_claims(&with_roles), at(0)).await.is_ok());
    for subject in [delegated().without("sub"), delegated().text("sub", " "), delegated().set("sub", "7")] {
        let refused = verifier.verify(&with_claims(&subject.to_string()), at(0)).await;
        assert_eq!(refused.unwrap_err(), Reject::Invalid(TokenRule::Subject));
    }
}

#[tokio::test]
async fn rules_for_applications_still_refuse_a_token_of_a_user() {
    let (verifier, _) = stage(rules());
    let refused = verifier.verify(&with_claims(&delegated().to_string()), at(0)).await;
    assert_eq!(name(&refused), "Delegated");
    let without_role = verifier.verify(&with_claims(&claims().without("roles").to_string()), at(0)).await;
    assert_eq!(name(&without_role), "RoleMissing");
}

/// The verdicts that depend on roles, and on the difference between users and applications.
const OF_APPLICATIONS: [&str; 3] = ["RoleMissing", "RoleType", "Delegated"];

#[tokio::test]
async fn every_other_wrong_token_is_refused_for_the_same_reason_as_that_of_an_application() {
    let (verifier, _) = stage(user_rules());
    verifier.refresh_due(at(0)).await;
    let mut compared = 0;
    for (what, token, expected) in all() {
        if OF_APPLICATIONS.contains(&expected) {
            continue;
        }
        let verdict = name(&verifier.verify(&token, at(0)).await);
        assert_eq!(verdict, expected, "{what}");
        compared += 1;
    }
    assert!(compared >= 100, "{compared} tokens");
}

#[tokio::test]
async fn an_audience_and_an_algorithm_are_required_for_users_as_well() {
    let with = |change: fn(&mut Rules)| {
        let mut rules = user_rules();
        change(&mut rules);
        rules.check().map_err(|error| error.to_string())
    };
    assert_eq!(with(|_| ()), Ok(()));
    assert!(with(|rules| rules.audiences.clear()).unwrap_err().contains("audience"));
    assert!(with(|rules| rules.algorithms.clear()).unwrap_err().contains("algorithms"));
    assert!(with(|rules| rules.skew = std::time::Duration::from_secs(301)).unwrap_err().contains("skew"));
}
