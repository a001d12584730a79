use super::*;

/// A small generator of numbers, so that a failure can be repeated.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// A whole game of moves by chance.
fn game_by_chance(setup: &str, numbers: &mut Numbers) -> Match {
    let mut game = Match::new(parse_setup(setup).unwrap());
    while !game.is_over() {
        let mut moves = Vec::new();
        game.now().for_each_move(&mut |mv| moves.push(mv));
        game.play_move(None, moves[numbers.below(moves.len())]).unwrap();
    }
    game
}

const SETUPS: [&str; 10] = [
    "othello",
    "adjacency 28 x",
    "adjacency 5 o",
    "dots 5x5",
    "dots 1x1",
    "dots 10x10",
    "blokus-duo own",
    "blokus-duo any",
    "blokus-classic 4",
    "blokus-classic 2",
];

fn error(text: &str) -> String {
    read(text, None).map(|record| record.moves().join(" ")).unwrap_err()
}

fn error_in(text: &str, hint: &str) -> String {
    read(text, Some(parse_setup(hint).unwrap())).map(|_| ()).unwrap_err()
}

#[test]
fn what_is_written_reads_back() {
    let mut numbers = Numbers(1);
    for setup in SETUPS {
        let game = game_by_chance(setup, &mut numbers);
        let (setup, moves) = (game.setup().to_string(), moves_of(&game));
        let names: Vec<_> =
            (0..game.setup().people()).map(|seat| format!("no. {seat} [a\\b]")).collect();
        for format in formats(&setup) {
            for count in [0, 1, moves.len() / 2, moves.len()] {
                let moves = &moves[..count];
                let text = write(&setup, moves, &format, names.clone(), "2026-01-31").unwrap();
                if format == "squares" {
                    if count == 0 {
                        continue;
                    }
                    let read = read(&text, None).unwrap();
                    assert_eq!(read.setup(), setup);
                    let passes = |moves: &[String]| {
                        moves.iter().filter(|mv| *mv != "pass").cloned().collect::<Vec<_>>()
                    };
                    assert_eq!(passes(&read.moves()), passes(moves));
                    continue;
                }
                let read = read(&text, None).unwrap();
                assert_eq!((&read.header.names, &*read.header.date), (&names, "2026-01-31"));
                assert_eq!(read.note(), "", "{text}");
                if format == "text" {
                    assert_eq!((read.setup(), read.moves().as_slice()), (setup.clone(), moves));
                } else {
                    // A pass at the end is not written.
                    assert!(moves.starts_with(&read.moves()), "{text}");
                    assert!(moves[read.moves().len()..].iter().all(|mv| mv == "pass"));
                }
            }
        }
    }
}

#[test]
fn formats_are_listed_by_game() {
    assert_eq!(formats("othello"), ["text", "squares"]);
    assert_eq!(formats("dots 3x3"), ["text"]);
    assert_eq!(formats("blokus-classic 2"), ["text", "blksgf"]);
    assert!(formats("chess").is_empty());
    assert_eq!(
        write("dots 1x1", &[], "blksgf", Vec::new(), "").unwrap_err(),
        "dots has no records in the format 'blksgf'"
    );
}

#[test]
fn own_text_is_readable() {
    let moves = ["0,0-0,1", "0,0-1,0", "1,0-1,1", "0,1-1,1"].map(String::from);
    let names = vec!["Ada\nLovelace".into(), String::new()];
    let text = write("dots 1x1", &moves, "text", names, "2026-01-31").unwrap();
    let expected = "corvid dots 1x1\n\
                    FIRST: Ada Lovelace\n\
                    date: 2026-01-31\n\
                    result: FIRST 0, SECOND 1\n\
                    \n\
                    1. 0,0-0,1 0,0-1,0 1,0-1,1 0,1-1,1\n";
    let colors = parse_setup("dots").unwrap().kind().info().colors;
    let expected = expected.replace("FIRST", colors[0].name).replace("SECOND", colors[1].name);
    assert_eq!(text, expected);
}

#[test]
fn own_text_may_be_untidy() {
    let text = "\u{feff}# a game\r\n\r\nCorvid  Othello\r\nBlack: Ada # not a comment\r\nevent: cup\r\n\
                1. d3 # the usual\r\n2.c3 c4\r\n\t4) E3\r\n";
    let record = read(text, None).unwrap();
    assert_eq!(record.moves(), ["d3", "c3", "c4", "e3"]);
    assert_eq!(record.names(), ["Ada # not a comment", ""]);
}

#[test]
fn a_result_that_the_moves_do_not_have_is_told() {
    let record = read("corvid dots 1x1\nresult: a draw\n", None).unwrap();
    assert_eq!(record.note(), "The record tells a result, but its moves don't end the game.");
    let text = "corvid dots 1x1\nresult: a draw\n0,0-0,1 0,0-1,0 1,0-1,1 0,1-1,1";
    let record = read(text, None).unwrap();
    assert_eq!(record.note(), "The moves lead to another result than the record tells.");
}

#[test]
fn moves_alone_are_of_the_game_on_the_table() {
    let hint = Some(parse_setup("adjacency").unwrap());
    let record = read("d3 a1", hint).unwrap();
    assert_eq!(record.setup(), "adjacency 28 x");
    assert_eq!(read("d3c3", hint).unwrap().setup(), "othello");
    assert_eq!(
        error_in("hello", "dots"),
        "move 1 (line 1), 'hello': a move is two dots, row,column-row,column from 0,0 at the top left"
    );
    assert_eq!(error_in("# nothing", "dots"), "the record has no moves");
}

#[test]
fn errors_name_the_place_and_the_cause() {
    for (text, expected) in [
        ("", "the record has no moves"),
        ("corvid", "line 1: no game ''"),
        ("\n# x\ncorvid chess", "line 3: no game 'chess'"),
        ("corvid dots 0x3", "line 1: dots has no option '0x3'"),
        ("corvid othello\n\n1. d3 c3\n2. d3", "move 3 (line 4): d3 is occupied"),
        ("corvid othello\nd3 d3: c3", "move 2 (line 2), 'd3:': a move is a square a1..h8, or pass"),
        ("d3c3\nz9", "move 3 (line 2), 'z9': a move is a square a1..h8, or pass"),
        ("d3c3d3", "move 3 (line 1): d3 is occupied"),
        ("(;GM[Blokus Duo]\n;B[e10]\n;B[e9])", "move 2 (line 3), 'e9': it is green's turn"),
        ("(;GM[Blokus Duo];B[e1])", "move 1 (line 1), 'e1': the first piece must cover e10"),
        ("(;GM[Blokus Duo];1[e10])", "line 1: this game has no moves of 1"),
        ("(;GM[Blokus Duo];B[e10]", "line 1: the record breaks off, its ')' is missing"),
        ("(;GM[Blokus Duo];B[e10", "line 1: the value of 'B' has no end"),
        ("(;GM[Blokus Duo];B)", "line 1: 'B' has no value"),
        ("(;GM[Blokus Duo];\n%)", "line 2: '%' doesn't belong there"),
        ("()", "line 1: ')' doesn't belong there"),
        ("(;B[e10])", "the record doesn't say which game it is (GM)"),
        ("(;GM[Blokus Trigon])", "line 1: 'Blokus Trigon' is a game that Corvid doesn't play"),
        (
            "(;GM[Blokus Duo]\nAB[e10])",
            "line 2: AB sets up a position, and only games from the start can be read",
        ),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn a_tree_of_another_program_is_read() {
    let text = "(;GM[Blokus Duo]CA[UTF-8]AP[Pentobi:17.2]PB[A \\] \\\\ b]PW[Ö]DT[2020-01-31]\n\
                C[a comment; with (signs\\]]\n;B[f9,e10,f10,g10,f11](;W[i4,h5,i5,j5,i6]C[good])\n\
                (;W[j5]))";
    let record = read(text, None).unwrap();
    assert_eq!(record.setup(), "blokus-duo own");
    assert_eq!(record.names(), ["A ] \\ b", "Ö"]);
    assert_eq!((record.moves().len(), record.note().as_str()), (2, "Variations were left out."));
}

#[test]
fn a_first_piece_on_the_other_start_square_sets_the_option() {
    let record = read("(;GM[Blokus Duo];B[j5];W[e10])", None).unwrap();
    assert_eq!(record.setup(), "blokus-duo any");
}

#[test]
fn old_trees_name_colours_and_list_squares() {
    let text = "(;GM[Blokus Two-Player]PB[X]PW[Y];BLUE[a20][b20];YELLOW[T20];RED[t1];GREEN[])";
    assert_eq!(error(text), "move 4 (line 1): you can place a piece: no pass");
    let record = read(&text.replace("GREEN[]", "4[a1]"), None).unwrap();
    assert_eq!(
        (record.setup().as_str(), record.names()),
        ("blokus-classic 2", vec!["X".into(), "Y".into()])
    );
    assert_eq!(record.moves().len(), 4);
    let text = write("blokus-classic 2", &record.moves(), "blksgf", record.names(), "").unwrap();
    assert_eq!(
        text,
        "(;GM[Blokus Two-Player]CA[UTF-8]AP[Corvid]PB[X]PW[Y]\n;1[a20,b20]\n;2[t20]\n;3[t1]\n;4[a1]\n)\n"
    );
}

#[test]
fn squares_in_a_row_are_othello() {
    for text in ["f5d6c3", "F5 D6\nC3", "1. f5 d6 2. c3", "f5,d6,c3", "1 f5 2 d6 3 c3"] {
        let record = read(text, None).unwrap();
        assert_eq!((record.moves().join(" "), record.note()), ("f5 d6 c3".into(), String::new()));
    }
    assert_eq!(error("f5--"), "move 2 (line 1): you can move, for example f4: no pass");
}

#[test]
fn the_other_start_is_mirrored() {
    let record = read("e3 f3 f4 d3", None).unwrap();
    assert_eq!(record.moves().join(" "), "d3 c3 c4 e3");
    assert!(record.note().contains("mirrored"));
    // A record that goes wrong later is told as it stands.
    assert_eq!(error("d3c3d3"), "move 3 (line 1): d3 is occupied");
}

/// Passes may be left out or stand there, in any of their forms.
#[test]
fn passes_are_understood() {
    let mut numbers = Numbers(7);
    let game = (0..200).map(|_| game_by_chance("othello", &mut numbers));
    let game = game.into_iter().find(|game| moves_of(game).iter().any(|mv| mv == "pass")).unwrap();
    let moves = moves_of(&game);
    for pass in ["", "--", "pa", "PASS", " pass "] {
        let text = moves.concat().replace("pass", pass);
        assert_eq!(read(&text, None).unwrap().moves(), moves, "{text}");
    }
}

/// Damaged records are refused or read as a legal game; nothing panics.
#[test]
fn damage_is_no_disaster() {
    let mut numbers = Numbers(3);
    let (mut kept, mut refused) = (0, 0);
    for setup in SETUPS {
        let game = game_by_chance(setup, &mut numbers);
        for format in formats(setup) {
            let names = vec!["x".into(); 4];
            let whole = write(setup, &moves_of(&game), &format, names, "").unwrap();
            for _ in 0..60 {
                let mut letters: Vec<char> = whole.chars().collect();
                for _ in 0..=numbers.below(4) {
                    let at = numbers.below(letters.len());
                    const STRANGE: [char; 16] = [
                        '(', ')', '[', ']', ';', '\\', '#', ':', '.', '-', '0', 'z', '\n', '\r',
                        'ß', '\u{feff}',
                    ];
                    match numbers.below(5) {
                        0 => letters.truncate(at),
                        1 if at < letters.len() => drop(letters.remove(at)),
                        2 => letters.insert(at, STRANGE[numbers.below(STRANGE.len())]),
                        3 => letters.extend_from_within(at / 2..at),
                        _ => {
                            let other = numbers.below(letters.len());
                            if at.max(other) < letters.len() {
                                letters.swap(at, other);
                            }
                        }
                    }
                }
                let text: String = letters.into_iter().collect();
                let hint = SETUPS[numbers.below(SETUPS.len())];
                match read(&text, parse_setup(hint).ok()) {
                    Ok(record) => {
                        kept += 1;
                        let moves: Vec<_> =
                            record.moves().iter().map(|mv| Written::new(mv, 1)).collect();
                        assert!(replay(record.game.setup(), &moves).is_ok(), "{text}");
                    }
                    Err(why) => {
                        refused += 1;
                        assert!(!why.is_empty() && why.chars().count() < 200, "{why}");
                    }
                }
            }
        }
    }
    assert!(kept > 50 && refused > 200, "{kept} {refused}");
}
