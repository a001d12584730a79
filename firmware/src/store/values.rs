//! Settings and statistics in bytes.
use super::{VALUE, saved};
use crate::{
    clock::TimeControl,
    panel::{Brightness, Controller},
    settings::{Draft, Pace, SAVER_MINUTES, SECONDS, Settings, Statistics},
};
use heapless::Vec;

/// Settings: flags, seconds, brightness, then the draft as the title of a game. The flags are, from
/// the lowest bit: marks, two for the pace, points as placed, published bots. An older version has 0
/// for what it doesn't know, which is the default.
pub(crate) fn settings_to_bytes(settings: &Settings) -> Option<Vec<u8, VALUE>> {
    let Settings { marks, seconds, pace, placed, published, brightness, draft, .. } = settings;
    let mut bytes = Vec::new();
    let flags =
        u8::from(*marks) | (*pace as u8) << 1 | u8::from(*placed) << 3 | u8::from(*published) << 4;
    bytes.extend_from_slice(&[flags, *seconds, brightness.get()]).ok()?;
    bytes.extend_from_slice(&saved::title(draft.setup, &draft.seats, "")?).ok()?;
    Some(bytes)
}

/// Reads settings from bytes; what is missing or invalid stays unchanged.
pub(crate) fn settings_from_bytes(bytes: &[u8], settings: &mut Settings) {
    let Some((&[flags, seconds, brightness], draft)) = bytes.split_first_chunk() else { return };
    settings.marks = flags & 1 != 0;
    settings.placed = flags >> 3 & 1 != 0;
    settings.published = flags >> 4 & 1 != 0;
    if let Some(pace) = Pace::ALL.get(usize::from(flags >> 1 & 3)) {
        settings.pace = *pace;
    }
    if SECONDS.contains(&seconds) {
        settings.seconds = seconds;
    }
    if let Some(brightness) = Brightness::new(brightness) {
        settings.brightness = brightness;
    }
    if let Some((setup, seats, _)) = saved::read_title(draft) {
        settings.draft = Draft { setup, seats, ..settings.draft };
    }
}

/// The other settings: flags, the screen saver's minutes, the controller, then minutes and increment
/// of the draft's clock, which older versions don't know. The flags are, from the
/// lowest bit: no animation, a document's colours, upside down, sound.
pub(crate) fn comforts_to_bytes(settings: &Settings) -> [u8; 5] {
    let flags =
        [!settings.animated, settings.document_colors, settings.upside_down, settings.sound];
    let flags = (0..).zip(flags).fold(0, |bits, (bit, flag)| bits | u8::from(flag) << bit);
    let TimeControl { minutes, increment } = settings.draft.time;
    [flags, settings.saver, settings.controller as u8, minutes, increment]
}

/// Reads the other settings; what is missing or invalid stays unchanged.
pub(crate) fn comforts_from_bytes(bytes: &[u8], settings: &mut Settings) {
    let Some((&[flags, saver, controller], time)) = bytes.split_first_chunk() else { return };
    let flag = |bit: u8| flags >> bit & 1 != 0;
    settings.animated = !flag(0);
    settings.document_colors = flag(1);
    settings.upside_down = flag(2);
    settings.sound = flag(3);
    if SAVER_MINUTES.contains(&saver) {
        settings.saver = saver;
    }
    if let Some(controller) = Controller::ALL.get(usize::from(controller)) {
        settings.controller = *controller;
    }
    if let Some(&[minutes, increment]) = time.first_chunk()
        && let Some(time) = TimeControl::new(minutes, increment)
    {
        settings.draft.time = time;
    }
}

/// Statistics: won, drawn and lost of each game, two bytes each.
pub(crate) fn statistics_to_bytes(statistics: &Statistics) -> Option<Vec<u8, VALUE>> {
    let mut bytes = Vec::new();
    for tally in &statistics.tallies {
        for count in [tally.won, tally.drawn, tally.lost] {
            bytes.extend_from_slice(&count.to_le_bytes()).ok()?;
        }
    }
    Some(bytes)
}

/// Reads statistics from bytes; missing games stay unchanged.
pub(crate) fn statistics_from_bytes(bytes: &[u8], statistics: &mut Statistics) {
    let counts = bytes.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
    let tallies = statistics.tallies.iter_mut();
    let places = tallies.flat_map(|tally| [&mut tally.won, &mut tally.drawn, &mut tally.lost]);
    places.zip(counts).for_each(|(place, count)| *place = count);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{settings::Tally, table::Seat};
    use corvid_core::{
        registry::{Bot, GameKind},
        setup::Setup,
    };

    #[test]
    fn settings_come_back() {
        let kind = GameKind::BlokusClassic;
        let random = Seat::Bot(Bot::from_name(kind, "random").unwrap());
        let draft = Draft {
            setup: Setup::usual(kind),
            seats: [random, Seat::Person, Seat::Person, random],
            time: TimeControl { minutes: 15, increment: 30 },
        };
        let brightness = Brightness::new(1).unwrap();
        let settings = Settings {
            marks: false,
            seconds: 60,
            pace: Pace::Slow,
            placed: true,
            published: true,
            document_colors: true,
            brightness,
            animated: false,
            saver: 15,
            upside_down: true,
            controller: Controller::Sh1106,
            sound: true,
            draft,
        };
        let bytes = settings_to_bytes(&settings).unwrap();
        let mut read = Settings::NEW;
        settings_from_bytes(&bytes, &mut read);
        comforts_from_bytes(&comforts_to_bytes(&settings), &mut read);
        assert_eq!(read, settings);
    }

    #[test]
    fn what_settings_do_not_tell_stays() {
        for bytes in [&[][..], &[1], &[1, 99, 99], &[1, 99, 99, 9, 9, 9, 9, 9]] {
            let mut read = Settings::NEW;
            settings_from_bytes(bytes, &mut read);
            assert_eq!(read, Settings::NEW, "{bytes:?}");
        }
        for bytes in [&[][..], &[15, 2], &[0, 99, 99], &[0, 5, 0, 3, 5], &[0, 5, 0, 5, 3]] {
            let mut read = Settings::NEW;
            comforts_from_bytes(bytes, &mut read);
            assert_eq!(read, Settings::NEW, "{bytes:?}");
        }
    }

    /// As they were saved before there were clocks.
    #[test]
    fn an_older_versions_comforts_are_read() {
        let mut read = Settings::NEW;
        comforts_from_bytes(&[0b1010, 15, 2], &mut read);
        let expected = Settings {
            document_colors: true,
            sound: true,
            saver: 15,
            controller: Controller::Sh1106,
            ..Settings::NEW
        };
        assert_eq!(read, expected);
    }

    #[test]
    fn statistics_come_back() {
        let mut statistics = Statistics::NONE;
        statistics.tallies[4] = Tally { won: 513, drawn: 2, lost: 65_535 };
        let bytes = statistics_to_bytes(&statistics).unwrap();
        let mut read = Statistics::NONE;
        statistics_from_bytes(&bytes, &mut read);
        assert_eq!(read, statistics);
        let mut cut = Statistics::NONE;
        statistics_from_bytes(&bytes[..27], &mut cut);
        assert_eq!(cut.tallies[4], Tally { won: 513, drawn: 0, lost: 0 });
    }
}
