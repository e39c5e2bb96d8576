//! The protocol over standard input and output, for a host on the same machine.

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, RoleServer, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::server::Server;

/// Longest line that is read: a call with 100 quotations has some 200 KB.
const LONGEST_LINE: usize = 1 << 20;

/// Why the conversation with a host failed.
#[derive(Debug, thiserror::Error)]
#[error("the conversation with the host failed: {0}")]
pub struct StdioError(String);

/// Answers the host at standard input and output until it closes one of them.
///
/// # Errors
/// The host does not speak the protocol, or a part of the program failed.
pub async fn serve_stdio(server: Server) -> Result<(), StdioError> {
    let (input, output) = stdio_pipes();
    serve_pipes(server, input, output).await
}

pub(crate) async fn serve_pipes<R, W>(server: Server, input: R, output: W) -> Result<(), StdioError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let transport =
        AsyncRwTransport::<RoleServer, R, W>::new_server(input, output).with_max_line_length(LONGEST_LINE);
    let running = match server.serve(transport).await {
        Ok(running) => running,
        // A host that goes away before it says anything is not an error of the program.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(StdioError(error.to_string())),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(StdioError(error.to_string())),
        Ok(_) => Ok(()),
    }
}
