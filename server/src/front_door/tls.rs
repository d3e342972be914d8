//! TLS, for who has no proxy: a certificate and its key from two files, read
//! again when they change. Connections that are open keep what they began with.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Where the certificate and its key are, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, and after it those that vouch for it.
    pub cert: PathBuf,
    /// Its key.
    pub key: PathBuf,
}

impl TlsFiles {
    /// Reads both. The error is a sentence for the operator.
    fn read(&self) -> Result<Arc<ServerConfig>, String> {
        let unusable = |path: &Path, error: &dyn std::fmt::Display| {
            format!("{} cannot be used for TLS: {error}", path.display())
        };
        let certificates = CertificateDer::pem_file_iter(&self.cert)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| unusable(&self.cert, &error))?;
        if certificates.is_empty() {
            return Err(unusable(&self.cert, &"there is no certificate in it"));
        }
        let key =
            PrivateKeyDer::from_pem_file(&self.key).map_err(|error| unusable(&self.key, &error))?;
        let ring = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(ring)
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_no_client_auth()
            .with_single_cert(certificates, key)
            .map_err(|error| match error {
                rustls::Error::InconsistentKeys(_) => format!(
                    "{} is not the key of the certificate in {}",
                    self.key.display(),
                    self.cert.display()
                ),
                error => unusable(&self.cert, &error),
            })?;
        // WebSockets need this version, so no other is offered.
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }

    /// What changes when the files do.
    fn stamp(&self) -> [Option<(SystemTime, u64)>; 2] {
        [&self.cert, &self.key].map(|path| {
            let file = std::fs::metadata(path).ok()?;
            Some((file.modified().ok()?, file.len()))
        })
    }
}

/// The certificate that is shown now.
#[derive(Debug)]
pub struct Tls {
    files: TlsFiles,
    shown: RwLock<Arc<ServerConfig>>,
}

impl Tls {
    /// Reads the files for the first time.
    pub fn new(files: TlsFiles) -> io::Result<Tls> {
        let shown = files
            .read()
            .map_err(|sentence| io::Error::new(io::ErrorKind::InvalidInput, sentence))?;
        Ok(Tls { files, shown: RwLock::new(shown) })
    }

    /// Shakes hands with a client.
    pub async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let shown = Arc::clone(&self.shown.read().unwrap_or_else(PoisonError::into_inner));
        TlsAcceptor::from(shown).accept(stream).await
    }

    /// Reads the files again whenever they change, for ever. What cannot be
    /// used is reported, and what was shown before stays.
    pub async fn follow(self: Arc<Self>) {
        let mut used = self.files.stamp();
        let mut seen = used;
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let now = self.files.stamp();
            // Two files are seldom written at one moment: wait until both rest.
            let is_settled = std::mem::replace(&mut seen, now) == now;
            if is_settled && now != used {
                used = now;
                self.read_again();
            }
        }
    }

    fn read_again(&self) {
        match self.files.read() {
            Ok(config) => {
                *self.shown.write().unwrap_or_else(PoisonError::into_inner) = config;
                tracing::info!(certificate = %self.files.cert.display(), "a new certificate is shown");
            }
            Err(error) => {
                metrics::counter!("parlor_tls_reload_failures_total").increment(1);
                tracing::error!(%error, "the old certificate is still shown");
            }
        }
    }
}
