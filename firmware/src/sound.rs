//! Sounds on a piezo: what they are, and the task that plays them.
use crate::app::Device;
use embassy_futures::select::{Either, select};
use embassy_time::Timer;

/// Something that makes tones.
pub trait Buzzer {
    /// Sounds a tone of this many hertz until the next call, or falls silent.
    fn tone(&mut self, hz: Option<u16>);
}

/// The buzzer of a board that has none.
#[derive(Debug)]
pub enum NoBuzzer {}

impl Buzzer for NoBuzzer {
    fn tone(&mut self, _: Option<u16>) {
        match *self {}
    }
}

/// What is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sound {
    /// A key did something.
    Key,
    /// A computer has moved, or a game has ended that nobody won or lost.
    Move,
    /// Something is not allowed.
    Refusal,
    /// A person has won.
    Win,
    /// The person has lost.
    Loss,
}

impl Sound {
    /// Its tones, one after the other: hertz and milliseconds.
    pub const fn tones(self) -> &'static [(u16, u16)] {
        match self {
            Self::Key => &[(2000, 5)],
            Self::Move => &[(880, 60)],
            Self::Refusal => &[(165, 150)],
            Self::Win => &[(523, 100), (659, 100), (784, 100), (1047, 250)],
            Self::Loss => &[(440, 150), (349, 150), (262, 300)],
        }
    }
}

/// Plays forever what the [`ui`](crate::ui) asks for. A new sound cuts off the one before.
pub async fn run(device: &Device, mut buzzer: impl Buzzer) -> ! {
    device.table().await.has_buzzer = true;
    let mut sound = device.sounds.wait().await;
    loop {
        sound = match select(device.sounds.wait(), play(sound, &mut buzzer)).await {
            Either::First(next) => next,
            Either::Second(()) => device.sounds.wait().await,
        };
    }
}

async fn play(sound: Sound, buzzer: &mut impl Buzzer) {
    for (hz, millis) in sound.tones() {
        buzzer.tone(Some(*hz));
        Timer::after_millis((*millis).into()).await;
    }
    buzzer.tone(None);
}
