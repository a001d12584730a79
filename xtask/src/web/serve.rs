//! Serves the built page on loopback: static files and nothing else, so a few lines do instead of a
//! web server's dependencies.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::folder;

/// A browser that opens a connection and asks for nothing is not waited for, nor one that takes nothing.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest request, headers included, in bytes.
const LONGEST: u64 = 16 * 1024;

/// Serves the page that was built before, on any free port.
pub(crate) fn serve_built() -> Result<()> {
    ensure!(folder().join("index.html").exists(), "there is no page: `cargo xtask web` builds it");
    run(&listen(0)?)
}

/// Takes a port; port 0 is any free one.
pub(super) fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind(("127.0.0.1", port))
        .with_context(|| format!("port {port} is taken: choose another with --port N"))
}

/// Serves the page until it is stopped; prints its address.
pub(super) fn run(listener: &TcpListener) -> Result<()> {
    println!("http://{}/", listener.local_addr()?);
    std::io::stdout().flush()?;
    for stream in listener.incoming().flatten() {
        // A connection that breaks concerns nobody else.
        thread::spawn(move || converse(stream, &folder()));
    }
    Ok(())
}

/// Answers the requests of a connection until it ends.
fn converse(stream: TcpStream, folder: &Path) -> Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    // An answer is written at once: nothing is gained by holding back its last packet.
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    while let Some(request) = Request::read(&mut reader)? {
        stream.write_all(&answer(&request, folder))?;
        if !request.stays() {
            break;
        }
    }
    Ok(())
}

/// What a browser asks for.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    method: String,
    path: String,
    /// Whether the browser ends the connection.
    closes: bool,
}

impl Request {
    /// The next request; none at the end of the connection.
    fn read(reader: &mut impl BufRead) -> Result<Option<Self>> {
        let mut reader = reader.take(LONGEST);
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split_ascii_whitespace().map(str::to_owned);
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let mut closes = words.next().is_none_or(|version| version == "HTTP/1.0");
        loop {
            line.clear();
            reader.read_line(&mut line)?;
            ensure!(line.ends_with('\n'), "a request that breaks off, or is too long");
            let header = line.trim_ascii().to_ascii_lowercase();
            if header.is_empty() {
                return Ok(Some(Self { method, path, closes }));
            }
            closes |= header.strip_prefix("connection:").is_some_and(|way| way.trim() == "close");
        }
    }

    fn is_known(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD")
    }

    /// Whether another request may follow. What else a request carries is not read.
    fn stays(&self) -> bool {
        self.is_known() && !self.closes
    }
}

fn answer(request: &Request, folder: &Path) -> Vec<u8> {
    const TEXT: &str = "text/plain; charset=utf-8";
    let (status, kind, body) = match read(&request.path, folder) {
        _ if !request.is_known() => ("405 Method Not Allowed", TEXT, b"only GET\n".to_vec()),
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", TEXT, b"no such file\n".to_vec()),
    };
    let length = body.len();
    let connection = if request.stays() { "keep-alive" } else { "close" };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: {connection}\r\n\r\n"
    );
    let mut answer = head.into_bytes();
    if request.method != "HEAD" {
        answer.extend(body);
    }
    answer
}

/// A file of the page with its type; none outside its folder.
fn read(path: &str, folder: &Path) -> Option<(&'static str, Vec<u8>)> {
    let path = path.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = if path.is_empty() { "index.html" } else { path };
    let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let kind = match path.rsplit('.').next()? {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    };
    inside.then(|| fs::read(folder.join(path)).ok().map(|body| (kind, body)))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::root;

    fn request(text: &str) -> Result<Option<Request>> {
        Request::read(&mut text.as_bytes())
    }

    fn status(method: &str, path: &str) -> String {
        let request = Request { method: method.into(), path: path.into(), closes: false };
        let answer = answer(&request, &root().join("web/page"));
        String::from_utf8_lossy(&answer).lines().next().unwrap_or("").to_owned()
    }

    #[test]
    fn requests_are_read_to_their_end() {
        let whole = "GET /main.js?x HTTP/1.1\r\nHost: here\r\nConnection: Close\r\n\r\n";
        let read = request(whole).unwrap().unwrap();
        assert_eq!((read.path.as_str(), read.closes), ("/main.js?x", true));
        assert!(request("GET / HTTP/1.1\r\n\r\n").unwrap().unwrap().stays());
        assert!(!request("POST / HTTP/1.1\r\n\r\n").unwrap().unwrap().stays());
        assert_eq!(request("").unwrap(), None);
        assert!(request("GET / HTTP/1.1\r\nHost").is_err());
        let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(LONGEST as usize));
        assert!(request(&long).is_err());
    }

    #[test]
    fn only_the_folder_is_served() {
        assert_eq!(status("GET", "/"), "HTTP/1.1 200 OK");
        assert_eq!(status("HEAD", "/views/dots.js#x"), "HTTP/1.1 200 OK");
        assert_eq!(status("POST", "/"), "HTTP/1.1 405 Method Not Allowed");
        for path in
            ["/../Cargo.toml", "/views/../../Cargo.toml", "//etc/passwd", "/views", "/x", "x", ""]
        {
            assert_eq!(status("GET", path), "HTTP/1.1 404 Not Found", "{path}");
        }
    }
}
