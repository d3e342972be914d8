//! Hand histories in PHH: written, read back, and refused where they break
//! the format or the rules.

mod histories;

use std::collections::BTreeMap;

use histories::{deal_alone, deals, loose_match, table};
use parlor_kernel::{Awaiting, FormatError, Game, Log, Seat, Viewer, reexecute};
use parlor_stud::{Rules, State, Stud, VariantChoice, phh};
use proptest::prelude::*;

/// Reads a text of one deal, which then follows from its own opening.
fn read_one(text: &str) -> (Log<Stud>, State) {
    let mut games = phh::import(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(games.len(), 1);
    let log = games.remove(0);
    let state = reexecute(&log).unwrap_or_else(|difference| panic!("{difference}\n{text}"));
    (log, state)
}

fn comes_back_the_same(text: &str, viewer: Viewer) {
    let (log, _) = read_one(text);
    let again = phh::export(&log, viewer, None).expect("a deal was read");
    assert_eq!(deal_alone(&again), deal_alone(text));
}

fn thousands_of_deals_come_back(variant: VariantChoice) {
    let mut count = 0;
    for nth in 0..400 {
        let (rules, seats) = table(variant, nth);
        let (log, state) = loose_match(&rules, seats, &format!("{variant:?} {nth}"));
        for text in deals(&log, &state, Viewer::Admin) {
            comes_back_the_same(&text, Viewer::Admin);
            count += 1;
        }
    }
    assert!(count > 2_000, "{count} deals");
}

#[test]
fn thousands_of_deals_of_stud_come_back_the_same() {
    thousands_of_deals_come_back(VariantChoice::StudHi);
}

#[test]
fn thousands_of_deals_of_razz_come_back_the_same() {
    thousands_of_deals_come_back(VariantChoice::Razz);
}

#[test]
fn thousands_of_deals_of_hi_lo_come_back_the_same() {
    thousands_of_deals_come_back(VariantChoice::Stud8);
}

/// Whoever saw only some cards gets a deal with others in their place, and
/// sees the same of it.
#[test]
fn deals_told_by_those_who_did_not_see_all_come_back_as_they_saw_them() {
    for nth in 0..120 {
        let (mut rules, seats) = table(VariantChoice::Mixed, nth);
        rules.muck = nth % 2 == 0;
        rules.rotation_deals = 1;
        let (log, state) = loose_match(&rules, seats, &format!("partly seen {nth}"));
        for viewer in [Viewer::Public, Viewer::Seat(Seat(1)), Viewer::Postmortem] {
            for text in deals(&log, &state, viewer) {
                let viewer = match viewer {
                    // A seat that was not dealt in is none of the deal's own.
                    Viewer::Seat(_) => player_of(&text).map_or(Viewer::Public, Viewer::Seat),
                    // Where hands may stay closed for good, afterwards too.
                    Viewer::Postmortem if rules.muck => Viewer::Public,
                    _ => viewer,
                };
                comes_back_the_same(&text, viewer);
            }
        }
    }
}

/// The player of a deal who sat in the second seat.
fn player_of(text: &str) -> Option<Seat> {
    let seats = text.lines().find_map(|line| line.strip_prefix("seats = ["))?;
    let place = seats.trim_end_matches(']').split(", ").position(|seat| seat == "2")?;
    Some(Seat(place as u8))
}

#[test]
fn a_match_is_a_collection_with_a_deal_under_each_number() {
    let (rules, seats) = table(VariantChoice::Mixed, 3);
    let (log, state) = loose_match(&rules, seats, "collection");
    let text = phh::export(&log, Viewer::Admin, None).expect("deals were dealt");
    let games = phh::import(&text).expect("it is a collection");
    assert_eq!(games.len(), state.board.deal as usize);
    for (game, deal) in games.iter().zip(deals(&log, &state, Viewer::Admin)) {
        let again = phh::export(game, Viewer::Admin, None).expect("a deal was read");
        assert_eq!(deal_alone(&again), deal_alone(&deal));
    }
}

#[test]
fn stacks_and_moves_are_those_of_the_deal() {
    let (mut rules, seats) = table(VariantChoice::Stud8, 16);
    rules.deals = Some(1);
    let (log, state) = loose_match(&rules, seats, "one deal");
    let text = phh::export(&log, Viewer::Admin, None).expect("a deal was dealt");
    let (read, after) = read_one(&text);
    assert_eq!(after.board.players, state.board.players);
    // All but the opening, which names another game, and its end.
    let middle = |log: &Log<Stud>| {
        let opened = |name| matches!(name, "GAME_STARTED" | "DEAL_INIT" | "GAME_FINISHED");
        let events = log.events.iter().filter(|event| !opened(parlor_kernel::event_type(event)));
        events.cloned().collect::<Vec<_>>()
    };
    assert_eq!(middle(&read), middle(&log));
}

#[test]
fn the_same_deal_is_the_same_game_wherever_it_is_read() {
    let (log, _) = read_one(DEAL);
    let (again, _) = read_one(&format!("# a comment\n{DEAL}"));
    assert_eq!(log, again);
}

/// A deal of hi-lo with an all-in and a run-out, as it is written down.
#[test]
fn a_deal_reads_like_this() {
    let (rules, seats) = table(VariantChoice::Stud8, 8);
    let rules = Rules { deals: Some(1), ..rules };
    let (log, _) = loose_match(&rules, seats, "golden 0");
    let written = |viewer| phh::export(&log, viewer, None).expect("a deal was dealt");
    insta::assert_snapshot!("phh_admin", written(Viewer::Admin));
    insta::assert_snapshot!("phh_public", written(Viewer::Public));
}

#[test]
fn down_cards_others_hold_are_question_marks() {
    let (rules, seats) = table(VariantChoice::StudHi, 2);
    let (log, state) = loose_match(&rules, seats, "hidden");
    for text in deals(&log, &state, Viewer::Public) {
        let down = text.lines().filter(|line| line.contains("\"d dh ")).filter(|line| {
            let cards = line.trim().trim_end_matches("\",").rsplit(' ').next().unwrap_or_default();
            cards.len() == 6
        });
        assert!(down.clone().count() >= 2);
        assert!(down.clone().all(|line| line.contains(" ????")), "{text}");
    }
}

#[test]
fn a_deal_that_is_not_over_goes_on_after_it_is_read() {
    let unfinished = DEAL.replace("  \"p1 f\",\n", "");
    let (log, state) = read_one(&unfinished);
    assert!(matches!(Stud::awaiting(&state), Awaiting::Seats { .. }));
    let again = phh::export(&log, Viewer::Admin, None).expect("a deal was read");
    assert!(!again.contains("finishing_stacks"));
}

#[test]
fn deals_that_were_not_dealt_cannot_be_written() {
    let (log, _) = read_one(DEAL);
    for deal in [0, 2] {
        let refused = phh::export(&log, Viewer::Admin, Some(deal)).expect_err("there is none");
        assert_eq!(
            refused,
            FormatError::Unwritable(format!("there is no deal {deal}: deals 1 to 1 were dealt"))
        );
    }
}

/// The smallest whole deal. Line 8 is the first action.
const DEAL: &str = "\
variant = \"F7S\"
antes = [5, 5]
bring_in = 10
small_bet = 20
big_bet = 40
starting_stacks = [500, 500]
actions = [
  \"d dh p1 ????2c\",
  \"d dh p2 AsAdKh\",
  \"p1 pb\",
  \"p2 cbr 20\",
  \"p1 f\",
]
";

#[test]
fn what_breaks_the_format_or_the_rules_is_refused_with_its_line() {
    let cases = [
        ("variant = \"F7S\"", "variant = \"NT\"", 1, "'NT' is none"),
        ("variant = \"F7S\"", "variant = 7", 1, "F7S (stud), F7S/8 (hi-lo) and FR (razz)"),
        ("variant = \"F7S\"\n", "", 1, "begins with its variant"),
        ("antes = [5, 5]\n", "", 1, "the field 'antes' is missing"),
        ("[5, 5]", "[5, 6]", 2, "the same ante"),
        ("[5, 5]", "[5]", 2, "names 1 players of 2"),
        ("[5, 5]", "5", 2, "is a list"),
        ("bring_in = 10", "bring_in = 0.5", 3, "no whole number of chips"),
        ("bring_in = 10", "bring_in = \"ten\"", 3, "chips are whole numbers"),
        ("bring_in = 10", "bring_in = 20", 3, "bringIn"),
        ("big_bet = 40", "big_bet = 4000000000", 5, "more than this house has"),
        ("[500, 500]", "[500, inf]", 6, "no whole number"),
        ("[500, 500]", "[500, 0]", 6, "p2 has no chips"),
        ("[500, 500]", "[500]", 6, "2 to 7 players"),
        ("actions = [", "actions = [[", 13, "this is no TOML"),
        ("????2c", "????2x", 8, "'2x' is no card"),
        ("????2c", "??????", 8, "face up"),
        ("????2c", "????2", 8, "'2' is no card"),
        ("AsAdKh", "AsAd2c", 9, "2c lies somewhere else"),
        ("AsAdKh", "AsAdKhQh", 9, "not dealt another card now"),
        ("AsAdKh", "AsAdKhQhJhTh9h8h", 9, "more than a hand of seven"),
        ("d dh p2", "d dh p3", 9, "players are p1 to p2"),
        ("d dh p2 AsAdKh", "d db AsAdKh", 9, "no community card"),
        ("  \"d dh p2 AsAdKh\",\n", "", 9, "p2 has yet to be dealt to"),
        ("p1 pb", "p2 pb", 10, "it is the turn of p1"),
        ("p1 pb", "p1 cc", 10, "on third street nobody checks"),
        ("p1 pb", "p1 sd", 10, "nobody draws"),
        ("p1 pb", "p1 sm -", 10, "there is no showdown yet"),
        ("p1 pb", "p1 sm", 10, "there is no showdown yet"),
        ("p1 pb", "p1 raises", 10, "is no action of stud"),
        ("p2 cbr 20", "p2 cbr 40", 11, "the limit here is 20"),
        ("p2 cbr 20", "p2 cbr all", 11, "no whole number of chips"),
        ("p1 f", "p1 f\", \"p2 cc", 12, "the deal is over"),
        ("p1 f", "p1 f\", \"p1 sm 2c3c", 12, "p1 has folded"),
        ("p1 f", "p1 f\", \"p2 sm QhQc", 12, "p2 was not dealt Qh"),
        ("p1 f", "p1 f\", 7, \"", 12, "an action is a text"),
        ("p1 f", "p1 cc", 12, "the actions end here, and p1 has yet to be dealt to"),
        ("]\n", "]\nfinishing_stacks = [500, 500]\n", 14, "[485, 515]"),
        ("]\n", "]\nplayers = [\"one\"]\n", 14, "the names of 2 players"),
        ("]\n", "]\n_cap = 9\n", 14, "1 to 8"),
    ];
    for (from, to, line, sentence) in cases {
        let at = DEAL.rfind(from).unwrap_or_else(|| panic!("{from} is in the deal"));
        let text = format!("{}{to}{}", &DEAL[..at], &DEAL[at + from.len()..]);
        match phh::import(&text) {
            Err(FormatError::Unreadable { line: found, sentence: said }) => {
                assert!(said.contains(sentence), "{to}: {said}");
                assert_eq!(found, line, "{to}: {said}");
            }
            other => panic!("{to}: {other:?}"),
        }
    }
    assert_eq!(phh::import("").map(|games| games.len()).ok(), None);
}

/// A heads-up deal to the end with one hand closed.
fn showdown(first: &str, second: &str, end: &str) -> String {
    let street = |cards: [&str; 2], opener: u8| {
        let other = 3 - opener;
        format!(
            "\"d dh p1 {}\", \"d dh p2 {}\", \"p{opener} cc\", \"p{other} cc\",\n",
            cards[0], cards[1]
        )
    };
    let split = |hand: &str| (hand[..4].to_owned(), hand[4..].to_owned());
    let ((one, one_last), (other, other_last)) = (split(first), split(second));
    format!(
        "variant = \"F7S\"\nantes = [5, 5]\nbring_in = 10\nsmall_bet = 20\nbig_bet = 40\n\
         starting_stacks = [500, 500]\nactions = [\n\"d dh p1 {one}2c\", \"d dh p2 {other}Kh\",\n\
         \"p1 pb\", \"p2 cc\",\n{}{}{}{}{end}",
        street(["4d", "Qs"], 2),
        street(["6h", "Jc"], 2),
        street(["8s", "9d"], 2),
        street([&one_last, &other_last], 2),
    )
}

#[test]
fn closed_hands_are_made_up_so_that_the_deal_ends_as_told() {
    // The first hand is a nine high at best without its closed cards.
    let mucked = showdown("??????", "KcKdKs", "\"p2 sm -\", \"p1 sm\"]\n");
    let (_, state) = read_one(&mucked);
    assert_eq!(state.board.players.map(|player| player.stack)[..2], [485, 515]);
    let lost = showdown("??????", "KcQdQh", "]\nfinishing_stacks = [515, 485]\n");
    let (_, state) = read_one(&lost);
    assert_eq!(state.board.players.map(|player| player.stack)[..2], [515, 485]);
}

#[test]
fn closed_hands_that_cannot_end_a_deal_as_told_are_refused() {
    let refused = |text: &str| phh::import(text).expect_err("it cannot be").to_string();
    let undecided = showdown("??????", "KcKdKs", "]\n");
    assert!(refused(&undecided).contains("no finishing_stacks say who won"));
    let impossible = showdown("??????", "KcKdKs", "]\nfinishing_stacks = [400, 600]\n");
    assert!(refused(&impossible).contains("no cards in the hands that stayed closed"));
    let winner = showdown("3c3d3h", "KcKdKs", "\"p1 sm -\", \"p2 sm\"]\n");
    assert!(refused(&winner).contains("a winner shows"));
}

#[test]
fn a_file_written_elsewhere_is_understood() {
    // One card at a time, money with cents, comments, and fields not known here.
    let text = "\
# Hand 3
variant = 'FR'
antes = [1_000.0, 1_000.0]
bring_in = 3000.00
small_bet = 10000
big_bet = 20000
starting_stacks = [100000, 250_000]
actions = [
  'd dh p1 As', 'd dh p2 ??', 'd dh p1 2s', 'd dh p2 ??', 'd dh p1 3s', 'd dh p2 Kd',
  '# the clock is called',
  'p2   pb  # reluctantly',
  'p1 cbr 10000.0', 'p2 f', ''
]
year = 2023
month = 6
day = 18
time = 19:30:00
time_zone = 'UTC'
city = 'Las Vegas'
players = ['', 'Brian']
";
    let (log, state) = read_one(text);
    assert_eq!(state.board.players.map(|player| player.stack)[..2], [104_000, 246_000]);
    assert_eq!(log.steps[0].timestamp, 1_687_116_600_000);
    let again = phh::export(&log, Viewer::Admin, None).expect("a deal was read");
    assert!(again.contains("time = 19:30:00\nday = 18\nmonth = 6\nyear = 2023\n"), "{again}");
    assert!(again.contains("players = [\"p1\", \"Brian\"]\n"), "{again}");
}

#[test]
fn a_day_the_calendar_lacks_is_no_date() {
    let dated = |day: u8, month: u8, year: u16| {
        let date = format!("year = {year}\nmonth = {month}\nday = {day}\ntime = 19:30:00\n");
        read_one(&format!("{DEAL}{date}")).0.steps[0].timestamp
    };
    assert_eq!(dated(29, 2, 2024), 1_709_235_000_000);
    for (day, month, year) in
        [(30, 2, 2024), (29, 2, 2023), (0, 1, 2024), (1, 13, 2024), (1, 1, 1969)]
    {
        assert_eq!(dated(day, month, year), 0, "{year}-{month}-{day}");
    }
}

#[test]
fn names_of_players_survive_whatever_is_in_them() {
    let name = "a \"b\" 'c' \\ \n # ]] ü";
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let (log, _) = read_one(&format!("{DEAL}players = [\"{quoted}\", \"]\"]\n"));
    let text = phh::export(&log, Viewer::Admin, None).expect("a deal was read");
    let (again, _) = read_one(&text);
    let opening = again.opening().expect("a game was opened");
    assert_eq!(opening.seats[0].name, name);
}

/// A text is refused with a line of its own, or it is a lawful game.
fn is_read_or_refused(text: &str) {
    match phh::import(text) {
        Ok(games) => {
            for log in games {
                reexecute(&log).unwrap_or_else(|difference| panic!("{difference}\n{text}"));
            }
        }
        Err(FormatError::Unreadable { line, sentence }) => {
            assert!((1..=text.lines().count() + 1).contains(&line), "{line}: {sentence}");
            assert!(!sentence.is_empty() && !sentence.contains('\n'), "{sentence}");
        }
        Err(other) => panic!("{other}"),
    }
}

fn some_deal(nth: usize) -> String {
    let variants = [VariantChoice::StudHi, VariantChoice::Razz, VariantChoice::Stud8];
    let (rules, seats) = table(variants[nth % 3], nth);
    let rules = Rules { deals: Some(1), muck: nth.is_multiple_of(5), ..rules };
    let (log, _) = loose_match(&rules, seats, &format!("bent {nth}"));
    let viewer = if nth.is_multiple_of(2) { Viewer::Admin } else { Viewer::Public };
    phh::export(&log, viewer, None).expect("a deal was dealt")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,200}") {
        is_read_or_refused(&text);
        is_read_or_refused(&DEAL.replace("p1 pb", &text));
    }

    #[test]
    fn a_deal_that_was_tampered_with_is_read_or_refused(
        nth in 0..200usize,
        edits in proptest::collection::vec((0..10_000usize, 0..10_000usize, 0..6u8), 1..4),
    ) {
        let mut lines: Vec<String> = some_deal(nth).lines().map(str::to_owned).collect();
        for (place, other, kind) in edits {
            let (place, other) = (place % lines.len(), other % lines.len());
            match kind {
                0 => drop(lines.remove(place)),
                1 => lines.swap(place, other),
                2 => lines.insert(place, lines[other].clone()),
                3 => lines[place] = lines[place].replace('2', "3").replace('p', "P"),
                4 => lines[place] = lines[place].replace(['A', 'K', 'Q', '5'], "?"),
                _ => lines[place] = lines[place].replace(" cc", " f").replace(" pb", " cbr 20"),
            }
            if lines.is_empty() {
                break;
            }
        }
        is_read_or_refused(&lines.join("\n"));
    }
}

#[test]
fn every_kind_of_tampering_is_mostly_refused() {
    let mut refused = BTreeMap::<&str, u32>::new();
    let deals: Vec<String> = (0..40).map(some_deal).collect();
    for text in &deals {
        for (name, from, to) in [
            ("another ante", "antes = [5", "antes = [6"),
            ("another stack", "starting_stacks = [", "starting_stacks = [1"),
            ("another end", "finishing_stacks = [", "finishing_stacks = [1"),
            ("a fold for a call", " cc\",", " f\","),
        ] {
            let bent = text.replacen(from, to, 1);
            *refused.entry(name).or_default() += u32::from(phh::import(&bent).is_err());
        }
    }
    for (name, count) in refused {
        assert!(count > 30, "{name}: {count} of {}", deals.len());
    }
}
