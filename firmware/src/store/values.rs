//! Settings and statistics in bytes.
use super::{STATISTICS, VALUE, saved};
use crate::{
    clock::TimeControl,
    panel::{Brightness, Controller},
    settings::{Draft, Pace, SAVER_MINUTES, SECONDS, Settings},
    statistics::{Record, Statistics},
    table::Seat,
};
use corvid_core::registry::GameKind;
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
    if let Some((setup, seats, ..)) = saved::read_title(draft) {
        settings.draft = Draft { setup, seats, ..settings.draft };
    }
}

/// The other settings: flags, the screen saver's minutes, the controller, then minutes and increment
/// of the draft's clock. The flags are, from the lowest bit: no animation, a document's colours, upside
/// down, sound, no magnifier, not at full speed.
pub(crate) fn comforts_to_bytes(settings: &Settings) -> [u8; 5] {
    let flags = [
        !settings.animated,
        settings.document_colors,
        settings.upside_down,
        settings.sound,
        !settings.magnified,
        !settings.full_speed,
    ];
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
    settings.magnified = !flag(4);
    settings.full_speed = !flag(5);
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

/// Statistics: for each record its game, the length and the letters of its opponent's name as in a
/// saved game, games won, drawn, lost and scored, the points of these together, the most and the
/// fewest.
pub(crate) fn statistics_to_bytes(statistics: &Statistics) -> Option<Vec<u8, STATISTICS>> {
    let mut bytes = Vec::new();
    for record in statistics.records() {
        bytes.push(record.kind.index() as u8).ok()?;
        saved::write_seat(record.rival.unwrap_or(Seat::Person), &mut bytes)?;
        for count in [record.won, record.drawn, record.lost, record.scored] {
            bytes.extend_from_slice(&count.to_le_bytes()).ok()?;
        }
        bytes.extend_from_slice(&record.sum.to_le_bytes()).ok()?;
        for points in [record.best, record.worst] {
            bytes.extend_from_slice(&points.to_le_bytes()).ok()?;
        }
    }
    Some(bytes)
}

/// Reads statistics from bytes, up to what is invalid. A bot that this version doesn't have is one of
/// the others.
pub(crate) fn statistics_from_bytes(mut bytes: &[u8], statistics: &mut Statistics) {
    while let Some(record) = read_record(&mut bytes) {
        statistics.merge(&record);
    }
}

fn read_record(bytes: &mut &[u8]) -> Option<Record> {
    let kind = *GameKind::ALL.get(usize::from(*bytes.split_off_first()?))?;
    let rival = saved::seat_named(kind, saved::read_short(bytes)?);
    let mut count = || Some(u16::from_le_bytes(read_array(bytes)?));
    let [won, drawn, lost, scored] = [count()?, count()?, count()?, count()?];
    let sum = i32::from_le_bytes(read_array(bytes)?);
    let mut points = || Some(i16::from_le_bytes(read_array(bytes)?));
    let (best, worst) = (points()?, points()?);
    let rival = Some(rival).filter(|rival| *rival != Seat::Person);
    Some(Record { kind, rival, won, drawn, lost, scored, sum, best, worst })
}

fn read_array<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (array, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*array)
}

/// Reads the statistics of older versions: games won, drawn and lost of each game.
pub(crate) fn tallies_from_bytes(bytes: &[u8], statistics: &mut Statistics) {
    let count = |bytes: &[u8; 2]| u16::from_le_bytes(*bytes);
    for (kind, tally) in GameKind::ALL.iter().zip(bytes.as_chunks::<6>().0) {
        if let [won, drawn, lost] = tally.as_chunks().0
            && tally.iter().any(|byte| *byte != 0)
        {
            let (won, drawn, lost) = (count(won), count(drawn), count(lost));
            statistics.merge(&Record { won, drawn, lost, ..Record::new(*kind, None) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Outcome, RECORDS};
    use corvid_core::{engine::Level, registry::Bot, setup::Setup};

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
            magnified: false,
            saver: 15,
            upside_down: true,
            controller: Controller::Sh1106,
            sound: true,
            full_speed: false,
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

    /// Fewer bytes are read as far as they go.
    #[test]
    fn comforts_without_clocks_are_read() {
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
        // Records with the longest names, as many as there can be.
        let longest = |kind: GameKind| Bot::all(kind).max_by_key(|bot| bot.name().len());
        for kind in GameKind::ALL {
            let levels = (1..=3).filter_map(Level::new).map(Seat::Level);
            for rival in levels.chain(longest(kind).map(Seat::Bot)).map(Some).chain([None]) {
                statistics.add(kind, rival, Outcome::Won, Some(-300));
                statistics.add(kind, rival, Outcome::Lost, None);
            }
        }
        assert_eq!(statistics.records().len(), RECORDS);
        let bytes = statistics_to_bytes(&statistics).unwrap();
        let mut read = Statistics::NONE;
        statistics_from_bytes(&bytes, &mut read);
        assert_eq!(read.records(), statistics.records());
        for length in 0..bytes.len() {
            let mut cut = Statistics::NONE;
            statistics_from_bytes(&bytes[..length], &mut cut);
            let whole = cut.records().len();
            assert_eq!(cut.records(), &statistics.records()[..whole]);
        }
    }

    #[test]
    fn a_bot_that_is_gone_is_one_of_the_others() {
        let mut bytes = vec![0, 4];
        bytes.extend_from_slice(b"gone");
        bytes.extend_from_slice(&[3, 0, 0, 0, 0, 0, 1, 0, 5, 0, 0, 0, 5, 0, 5, 0]);
        let mut read = Statistics::NONE;
        statistics_from_bytes(&bytes, &mut read);
        let [record] = read.records() else { panic!("{read:?}") };
        assert_eq!((record.rival, record.won, record.mean()), (None, 3, Some(500)));
    }

    #[test]
    fn older_statistics_are_read() {
        let mut bytes = [0; 30];
        bytes[24..].copy_from_slice(&[1, 2, 2, 0, 255, 255]);
        let mut read = Statistics::NONE;
        tallies_from_bytes(&bytes, &mut read);
        let [record] = read.records() else { panic!("{read:?}") };
        assert_eq!((record.kind, record.rival), (GameKind::ALL[4], None));
        assert_eq!((record.won, record.drawn, record.lost), (513, 2, 65_535));
        assert_eq!(record.mean(), None);
    }
}
