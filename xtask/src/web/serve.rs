//! Serves the built page on loopback: static files and nothing else, so a few lines do instead of a
//! web server's dependencies.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::folder;

/// A browser that opens a connection and asks for nothing is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves the page until it is stopped; prints its address. Port 0 takes any free one.
pub(crate) fn serve(port: u16) -> Result<()> {
    ensure!(folder().join("index.html").exists(), "there is no page: `cargo xtask web` builds it");
    let listener = TcpListener::bind(("127.0.0.1", port))
        .with_context(|| format!("port {port} is taken: choose another with --port N"))?;
    println!("http://{}/", listener.local_addr()?);
    std::io::stdout().flush()?;
    for stream in listener.incoming().flatten() {
        // A connection that breaks concerns nobody else.
        thread::spawn(move || answer(stream));
    }
    Ok(())
}

fn answer(mut stream: TcpStream) -> Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let mut request = String::new();
        if reader.read_line(&mut request)? == 0 {
            return Ok(());
        }
        let mut header = String::new();
        while reader.read_line(&mut header)? > 2 {
            header.clear();
        }
        let mut words = request.split_ascii_whitespace();
        let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or("/"));
        let (status, kind, body) = match (method, read(path)) {
            ("GET" | "HEAD", Some((kind, body))) => ("200 OK", kind, body),
            ("GET" | "HEAD", None) => ("404 Not Found", "text/plain", b"no such file\n".to_vec()),
            _ => ("405 Method Not Allowed", "text/plain", b"only GET\n".to_vec()),
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
             Cache-Control: no-cache\r\n\r\n",
            body.len()
        )?;
        if method != "HEAD" {
            stream.write_all(&body)?;
        }
    }
}

/// A file of the page with its type; none outside its folder.
fn read(path: &str) -> Option<(&'static str, Vec<u8>)> {
    let path = path.split(['?', '#']).next()?.trim_start_matches('/');
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
    inside.then(|| fs::read(folder().join(path)).ok().map(|body| (kind, body)))?
}
