//! The subset of GDB's remote protocol that sabotage and logs need.
use anyhow::{Context, Result, ensure};
use std::{
    io::{BufReader, Read, Write},
    os::unix::net::UnixStream,
    path::Path,
};

/// A debugger that halts an emulated processor until it is dropped.
#[derive(Debug)]
pub struct Gdb(BufReader<UnixStream>);

impl Gdb {
    /// Stops the processor.
    pub fn attach(socket: &Path) -> Result<Self> {
        let mut gdb = Self(BufReader::new(UnixStream::connect(socket)?));
        gdb.ask("?")?;
        // QEMU serves single registers only after the target description was read.
        gdb.ask("qXfer:features:read:target.xml:0,ffb")?;
        Ok(gdb)
    }

    /// The contents of a register, by GDB's number.
    pub fn register(&mut self, number: u8) -> Result<u32> {
        let text = self.ask(&format!("p{number:x}"))?;
        Ok(u32::from_str_radix(&text, 16).with_context(|| text.clone())?.swap_bytes())
    }

    /// Changes a register.
    pub fn set_register(&mut self, number: u8, value: u32) -> Result<()> {
        self.order(&format!("P{number:x}={:08x}", value.swap_bytes()))
    }

    /// The word at an address.
    pub fn word(&mut self, address: u32) -> Result<u32> {
        let text = self.ask(&format!("m{address:x},4"))?;
        Ok(u32::from_str_radix(&text, 16).with_context(|| text.clone())?.swap_bytes())
    }

    /// Changes the word at an address.
    pub fn set_word(&mut self, address: u32, word: u32) -> Result<()> {
        self.order(&format!("M{address:x},4:{:08x}", word.swap_bytes()))
    }

    /// Lets the processor run until it is about to execute the instruction at an address.
    pub fn run_to(&mut self, address: u32) -> Result<()> {
        self.order(&format!("Z0,{address:x},2"))?;
        self.resume("c")?;
        self.order(&format!("z0,{address:x},2"))
    }

    /// Lets the processor run until it has written to the word at an address.
    pub fn run_to_write(&mut self, address: u32) -> Result<()> {
        self.order(&format!("Z2,{address:x},4"))?;
        self.resume("c")?;
        self.order(&format!("z2,{address:x},4"))?;
        // It stops before the instruction that writes.
        self.resume("s")
    }

    /// Lets the processor run until it stops by itself.
    fn resume(&mut self, packet: &str) -> Result<()> {
        self.send(packet)?;
        while !self.packet()?.starts_with('T') {}
        Ok(())
    }

    /// Resumes the processor.
    pub fn detach(mut self) -> Result<()> {
        self.order("D")
    }

    fn order(&mut self, packet: &str) -> Result<()> {
        let answer = self.ask(packet)?;
        ensure!(answer == "OK", "{packet}: {answer}");
        Ok(())
    }

    /// Sends a packet and reads the answer. QEMU also reports that the processor has stopped, with
    /// a packet that begins with a T.
    fn ask(&mut self, packet: &str) -> Result<String> {
        self.send(packet)?;
        loop {
            let answer = self.packet()?;
            if packet == "?" || !answer.starts_with('T') {
                return Ok(answer);
            }
        }
    }

    fn send(&mut self, packet: &str) -> Result<()> {
        let sum = packet.bytes().fold(0, u8::wrapping_add);
        Ok(write!(self.0.get_mut(), "${packet}#{sum:02x}")?)
    }

    fn packet(&mut self) -> Result<String> {
        while self.byte()? != b'$' {}
        let mut text = String::new();
        loop {
            match self.byte()? {
                b'#' => break,
                byte => text.push(byte.into()),
            }
        }
        // The checksum, not needed on a socket.
        self.byte()?;
        self.byte()?;
        self.0.get_mut().write_all(b"+")?;
        Ok(text)
    }

    fn byte(&mut self) -> Result<u8> {
        let mut byte = [0];
        self.0.read_exact(&mut byte)?;
        Ok(byte[0])
    }
}
