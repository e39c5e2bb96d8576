//! Requests of a review to a service, one after the other, by functions of the caller.

use norma_api::shapes::{CitationsAnswer, CitationsRequest, QuotationsAnswer, QuotationsRequest};

use crate::Review;

impl Review {
    /// Asks a service, by the functions that send requests to it, until the review knows all that it wants to
    /// know. Answers that do not fit their request end it: what is not answered is unverified.
    ///
    /// # Errors
    /// Those of the two functions.
    pub async fn ask<E, C, Q>(
        &mut self,
        resolve: impl Fn(CitationsRequest) -> C,
        verify: impl Fn(QuotationsRequest) -> Q,
    ) -> Result<(), E>
    where
        C: Future<Output = Result<CitationsAnswer<'static>, E>>,
        Q: Future<Output = Result<QuotationsAnswer<'static>, E>>,
    {
        loop {
            let requests = self.citation_requests();
            if requests.is_empty() {
                break;
            }
            for request in requests {
                let answer = resolve(request.clone()).await?;
                if let Err(error) = self.resolved(&request, answer) {
                    self.fail(error.to_string());
                }
            }
        }
        loop {
            let requests = self.quotation_requests();
            if requests.is_empty() {
                return Ok(());
            }
            for request in requests {
                let answer = verify(request.clone()).await?;
                if let Err(error) = self.verified(&request, answer) {
                    self.fail(error.to_string());
                }
            }
        }
    }
}
