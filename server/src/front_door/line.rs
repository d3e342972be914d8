//! The bytes of one connection, in the open or by TLS. Whoever holds the line
//! holds its place: also a WebSocket that a request became.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::places::Place;
use super::pulse::Pulse;

/// How the bytes travel.
pub enum Transport {
    /// As they are.
    Plain(TcpStream),
    /// By TLS.
    Tls(Box<TlsStream<TcpStream>>),
}

/// A connection with its pulse and its places.
pub struct Line {
    pub transport: Transport,
    pub pulse: Arc<Pulse>,
    pub _places: [Option<Place>; 2],
}

macro_rules! on_transport {
    ($line:expr, $transport:ident => $call:expr) => {
        match &mut $line.transport {
            Transport::Plain(stream) => {
                let $transport = Pin::new(stream);
                $call
            }
            Transport::Tls(stream) => {
                let $transport = Pin::new(stream.as_mut());
                $call
            }
        }
    };
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(on_transport!(self, transport => transport.poll_read(cx, buffer)))?;
        if buffer.filled().len() > before {
            self.pulse.read();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(on_transport!(self, transport => transport.poll_write(cx, bytes)))?;
        self.pulse.wrote();
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written =
            ready!(on_transport!(self, transport => transport.poll_write_vectored(cx, slices)))?;
        self.pulse.wrote();
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        match &self.transport {
            Transport::Plain(stream) => stream.is_write_vectored(),
            Transport::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        on_transport!(self, transport => transport.poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        on_transport!(self, transport => transport.poll_shutdown(cx))
    }
}
