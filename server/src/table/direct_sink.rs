//! The sending half of a WebSocket.
//!
//! While its connection has nothing to send, it lends the sink to the table,
//! which then writes to the socket itself: no task is woken for a message that
//! the socket takes at once.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes};
use futures_util::{Sink, SinkExt};

use super::subscribers::{Delivery, Frame};

/// The sending half of a WebSocket, which a table may write to directly.
pub struct DirectSink(Pin<Box<dyn Sink<Message, Error = axum::Error> + Send>>);

impl DirectSink {
    /// Sends through this.
    pub fn new(sink: impl Sink<Message, Error = axum::Error> + Send + 'static) -> DirectSink {
        DirectSink(Box::pin(sink))
    }

    /// Sends what can be sent without waiting. What is left is for a task that
    /// can wait; it may be nothing but a flush.
    pub(super) fn try_send<'a>(&mut self, frames: &'a [Frame]) -> Result<(), &'a [Frame]> {
        let mut context = Context::from_waker(Waker::noop());
        for (sent, frame) in frames.iter().enumerate() {
            let ready = self.0.poll_ready_unpin(&mut context);
            let message = Message::Text(frame.text.clone());
            if !matches!(ready, Poll::Ready(Ok(()))) || self.0.start_send_unpin(message).is_err() {
                return Err(frames.get(sent..).unwrap_or_default());
            }
        }
        match self.0.poll_flush_unpin(&mut context) {
            Poll::Ready(Ok(())) => Ok(()),
            Poll::Ready(Err(_)) | Poll::Pending => Err(&[]),
        }
    }

    /// Sends all of it. False: the socket is closed.
    pub async fn send_all(&mut self, deliveries: impl IntoIterator<Item = Arc<Delivery>>) -> bool {
        for delivery in deliveries {
            for frame in delivery.frames() {
                if self.0.feed(Message::Text(frame.text.clone())).await.is_err() {
                    return false;
                }
            }
        }
        self.0.flush().await.is_ok()
    }

    /// Sends one text. False: the socket is closed.
    pub async fn send(&mut self, text: Utf8Bytes) -> bool {
        self.0.send(Message::Text(text)).await.is_ok()
    }

    /// Sends a ping. False: the socket is closed.
    pub async fn ping(&mut self) -> bool {
        self.0.send(Message::Ping(Default::default())).await.is_ok()
    }

    /// Closes the socket with a reason.
    pub async fn close(mut self, code: u16, reason: &str) {
        let frame = CloseFrame { code, reason: reason.into() };
        drop(self.0.send(Message::Close(Some(frame))).await);
    }
}
