//! `parlor serve`.

use parlor_server::{Limits, Server};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use crate::args::{LogFormat, ServeArgs};
use crate::error::{CliError, print_line};
use crate::notify::{READY, STOPPING, notify};
use crate::settings::{self, Settings};
use crate::{check, log_filter};

/// Serves until told to stop.
pub fn serve(args: ServeArgs) -> Result<(), CliError> {
    begin_logging(args.log_format)?;
    let is_check = args.check;
    let settings = settings::gather(args)?;
    if is_check {
        return check::check(&settings);
    }
    let Settings { mut config, threads } = settings;
    let files = raise_file_limit();
    if let Some(limits) = &mut config.limits {
        leave_files_over(limits, files);
    }
    runtime(threads)?.block_on(async {
        outlive_file_limits();
        let told_to_stop = told_to_stop();
        let server = Server::bind(config).await.map_err(CliError::usage)?;
        let address = server.address().map_err(CliError::usage)?;
        let scheme = server.scheme();
        print_line(format_args!("Parlor is open at {scheme}://{address}"))?;
        notify(READY);
        let until = async move {
            told_to_stop.await;
            notify(STOPPING);
        };
        server.serve(until).await.map_err(CliError::usage)
    })
}

/// A single thread has nobody to share tasks with, and a runtime that need not
/// be able to takes a tenth less time for a command.
fn runtime(threads: usize) -> Result<Runtime, CliError> {
    let mut builder = match threads {
        1 => Builder::new_current_thread(),
        _ => {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(threads);
            builder
        }
    };
    builder
        .enable_all()
        .build()
        .map_err(|error| CliError::usage(format_args!("could not start the threads: {error}")))
}

fn begin_logging(format: LogFormat) -> Result<(), CliError> {
    let mut filter = log_filter::from_environment()?;
    // At trace these write down every message, and tokens with them.
    for chatty in ["tungstenite=info", "tokio_tungstenite=info"] {
        if let Ok(quieter) = chatty.parse() {
            filter = filter.add_directive(quieter);
        }
    }
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().init(),
    }
    Ok(())
}

/// Files that are not connections: the store with its readers, listeners, what
/// is read now and then.
const OTHER_FILES: u32 = 100;

/// Each connection is an open file. Shells and service managers allow few by
/// default, and let a program ask for more.
fn raise_file_limit() -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: maximum, maximum };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => maximum,
        Err(error) => {
            tracing::debug!(%error, "the number of open files could not be raised");
            current
        }
    }
}

/// Someone who finds the house full can be told so; someone for whom there is
/// no file left cannot.
fn leave_files_over(limits: &mut Limits, files: Option<u64>) {
    let files = files.and_then(|files| u32::try_from(files).ok()).unwrap_or(u32::MAX);
    let most = files.saturating_sub(OTHER_FILES).max(files / 2);
    if limits.connections > most {
        tracing::warn!(
            connections = most,
            "the number of open files allows no more connections; raise it (ulimit -n)"
        );
        limits.connections = most;
    }
}

/// SIGXFSZ, which has this number wherever we run.
const FILE_AT_ITS_LIMIT: i32 = 25;

/// A log that has grown to the limit set for files is a full disk: what cannot
/// be written is refused. The signal that comes with it would end the server.
fn outlive_file_limits() {
    // Whoever listens once is no longer ended by it, then or later.
    if let Err(error) = signal(SignalKind::from_raw(FILE_AT_ITS_LIMIT)) {
        tracing::warn!(%error, "could not handle SIGXFSZ: a file at its size limit would end this server");
    }
}

/// SIGTERM, or an interrupt from the keyboard, from this call on: one that comes
/// before anybody waits for it is not missed.
pub fn told_to_stop() -> impl Future<Output = ()> {
    let terminate = signal(SignalKind::terminate());
    let interrupt = signal(SignalKind::interrupt());
    async move {
        match (terminate, interrupt) {
            (Ok(mut terminate), Ok(mut interrupt)) => {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            }
            (Err(error), _) | (_, Err(error)) => {
                tracing::warn!(%error, "could not handle SIGTERM and SIGINT: they end this program at once");
                std::future::pending().await
            }
        }
    }
}
