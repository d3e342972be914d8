//! The protocol dialect, against its contract and against a naive client.

mod wire;

use std::sync::Arc;

use parlor_kernel::{Game, RefusalNotice, Seat, Viewer};
use parlor_koikoi::{FirstDealer, KoiKoi, Rules};
use serde_json::Value;
use wire::client::{Client, body, by_player, flow, number, place, text, texts, yaku};
use wire::reading::{REBUFF, Reading};
use wire::{assert_named, tell};

const READING: Reading = Reading {
    name: "koikoi.protocol",
    discriminator: "event",
    player: "player",
    named: NAMED,
    own_shapes: &[
        "TurnProgressAfterSelection DecisionRequired",
        "DecisionMade RoundScored",
        "DecisionMade RoundScored GameFinished",
    ],
    timestamp: Value::from,
    awaited: "/flow_state/active_player",
    clock: "/flow_state/timeout_seconds",
    restore,
    hear,
};

/// The fields that the protocol names, copied from it by hand.
const NAMED: &[(&str, &str)] = &[
    (
        "GameStarted",
        "event event_id timestamp my_player_id players[].id players[].name ruleset.total_rounds \
         ruleset.koi_koi_multiplier ruleset.seven_point_double",
    ),
    (
        "RoundDealt",
        "event event_id timestamp dealer field[] hands[].player_id deck_remaining first_player \
         next_state.type next_state.active_player",
    ),
    (
        "RoundEndedInstantly",
        "event event_id timestamp reason winner score_changes[].player_id score_changes[].change \
         cumulative_scores[].player_id cumulative_scores[].score",
    ),
    (
        "RoundScored",
        "event event_id timestamp winner yakus[].type yakus[].base_points base_total \
         multipliers.seven_plus multipliers.opponent_koi final_points score_changes[].player_id \
         score_changes[].change cumulative_scores[].player_id cumulative_scores[].score",
    ),
    (
        "RoundDrawn",
        "event event_id timestamp reason score_changes[].player_id score_changes[].change",
    ),
    (
        "GameFinished",
        "event event_id timestamp final_scores[].player_id final_scores[].score winner",
    ),
    (
        "TurnCompleted",
        "event event_id timestamp player hand_play.played hand_play.captured[] hand_play.to.type \
         deck_flip.flipped deck_flip.captured[] deck_flip.to.type deck_flip.deck_remaining \
         yaku_update.new[].type yaku_update.new[].base_points yaku_update.total_base \
         next_state.type next_state.active_player",
    ),
    (
        "SelectionRequired",
        "event event_id timestamp player phase completed.hand_play.played \
         completed.hand_play.captured[] completed.hand_play.to.type selection.source \
         selection.options[] next_state.type next_state.active_player",
    ),
    (
        "TurnProgressAfterSelection",
        "event event_id timestamp selected_capture.source selected_capture.captured[] \
         selected_capture.to.type selected_capture.to.player_id deck_remaining \
         yaku_update.new[].type yaku_update.total_base next_state.type next_state.active_player",
    ),
    (
        "DecisionRequired",
        "event event_id timestamp player yaku_update.new[].type yaku_update.new[].base_points \
         yaku_update.total_base next_state.type next_state.active_player",
    ),
    (
        "DecisionMade",
        "event event_id timestamp player decision koi_multiplier_update next_state.type \
         next_state.active_player",
    ),
    ("TurnError", "event event_id timestamp error_code message retry_allowed"),
    (
        "GameSnapshotRestore",
        "event event_id timestamp my_player_id game.id game.ruleset.total_rounds \
         game.ruleset.koi_koi_multiplier game.ruleset.seven_point_double \
         game.cumulative_scores[].player_id game.cumulative_scores[].score game.rounds_played \
         round.dealer round.koi_status[].player_id round.koi_status[].multiplier \
         round.koi_status[].called_count cards.field[] cards.my_hand[] cards.opponent_hand_count \
         cards.my_depository[] cards.opponent_depository[] cards.deck_remaining flow_state.type \
         flow_state.active_player flow_state.context",
    ),
];

fn restore(snapshot: &Value) -> Client {
    let (game, round) = (&snapshot["game"], &snapshot["round"]);
    let (cards, state) = (&snapshot["cards"], &snapshot["flow_state"]);
    let me = snapshot["my_player_id"].as_str().map(str::to_owned);
    let mine = me.as_deref().map_or(0, place);
    let both = |first: Value, second: Value| {
        if mine == 0 { [first, second] } else { [second, first] }
    };
    let counts = both(cards["my_hand_count"].clone(), cards["opponent_hand_count"].clone());
    let piles = both(cards["my_depository"].clone(), cards["opponent_depository"].clone());
    let selection = &state["context"]["selection"];
    Client {
        me,
        field: texts(&cards["field"]),
        hand: texts(&cards["my_hand"]).into_iter().collect(),
        hand_counts: counts.map(|count| number(&count)),
        captures: piles.map(|pile| texts(&pile).into_iter().collect()),
        deck: number(&cards["deck_remaining"]),
        scores: by_player(&game["cumulative_scores"], "score"),
        dealer: text(&round["dealer"]),
        round: number(&round["number"]),
        rounds_played: number(&game["rounds_played"]),
        koi: by_player(&round["koi_status"], "multiplier"),
        yaku: [0, 1].map(|at| yaku(&round["yakus"][at]["yakus"], "type")),
        flow: (snapshot["phase"] == "PLAYING")
            .then(|| (text(&state["type"]), text(&state["active_player"]))),
        pending: selection
            .is_object()
            .then(|| (text(&selection["source"]), texts(&selection["options"]))),
        last_round: snapshot["last_round"].clone(),
        finished: snapshot["finished"].clone(),
    }
}

fn hear(client: &mut Client, event: &Value) {
    let player = event["player"].as_str().unwrap_or_default();
    let head = ["event_id", "timestamp"];
    match event["event"].as_str().expect("a name") {
        "GameStarted" => client.me = event["my_player_id"].as_str().map(str::to_owned),
        "RoundDealt" => {
            let mine = |hand: &&Value| Some(text(&hand["player_id"])) == client.me;
            let hands = event["hands"].as_array().expect("hands");
            let hand = hands.iter().find(mine).map(|hand| texts(&hand["cards"]));
            client.deal(
                number(&event["round"]),
                text(&event["dealer"]),
                texts(&event["field"]),
                hand.unwrap_or_default(),
            );
            client.deck = number(&event["deck_remaining"]);
        }
        "TurnCompleted" => hear_plays(client, player, event),
        "SelectionRequired" => {
            hear_plays(client, player, &event["completed"]);
            let selection = &event["selection"];
            client.pending = Some((text(&selection["source"]), texts(&selection["options"])));
            client.deck = number(&event["deck_remaining"]);
        }
        "TurnProgressAfterSelection" => {
            let capture = &event["selected_capture"];
            let to = text(&capture["to"]["player_id"]);
            client.meet(&to, text(&capture["source"]), texts(&capture["captured"]));
            client.pending = None;
            assert_eq!(number(&event["deck_remaining"]), client.deck);
        }
        "DecisionRequired" => hear_plays(client, player, &event["completed"]),
        "DecisionMade" => client.koi[place(player)] = number(&event["koi_multiplier_update"]),
        "RoundScored" | "RoundDrawn" | "RoundEndedInstantly" => {
            let before = client.scores;
            client.scores = by_player(&event["cumulative_scores"], "score");
            let changes = by_player(&event["score_changes"], "change");
            assert_eq!([before[0] + changes[0], before[1] + changes[1]], client.scores);
            client.rounds_played += 1;
            client.last_round = body(event, &head);
        }
        "GameFinished" => {
            assert_eq!(by_player(&event["final_scores"], "score"), client.scores);
            client.finished = body(event, &["event", "event_id", "timestamp"]);
        }
        other => panic!("there is no event {other}"),
    }
    if let Some(state) = event.get("next_state") {
        client.flow = flow(state, "type", "active_player");
    }
    if event["yaku_update"].is_object() {
        let held = yaku(&event["yaku_update"]["all"], "type");
        let total: u64 = held.iter().map(|(_, points)| points).sum();
        assert_eq!(number(&event["yaku_update"]["total_base"]), total);
        let new = yaku(&event["yaku_update"]["new"], "type");
        assert!(new.iter().all(|one| held.contains(one)), "what is new is held");
        client.yaku[place(player)] = held;
    }
}

fn hear_plays(client: &mut Client, player: &str, plays: &Value) {
    let hand = &plays["hand_play"];
    if hand.is_object() {
        client.leave_hand(player, hand["played"].as_str().expect("a card"));
        client.meet(player, text(&hand["played"]), texts(&hand["captured"]));
        assert_destination(hand, player);
    }
    let flip = &plays["deck_flip"];
    if flip.is_object() {
        client.meet(player, text(&flip["flipped"]), texts(&flip["captured"]));
        client.deck = number(&flip["deck_remaining"]);
        assert_destination(flip, player);
    }
}

fn assert_destination(play: &Value, player: &str) {
    let to = match texts(&play["captured"])[..] {
        [] => serde_json::json!({"type": "field"}),
        _ => serde_json::json!({"type": "depository", "player_id": player}),
    };
    assert_eq!(play["to"], to);
}

#[test]
fn every_event_is_what_its_schema_and_the_protocol_say() {
    READING.check_events();
}

#[test]
fn a_step_is_told_in_the_order_of_the_protocol() {
    READING.check_shapes();
}

#[test]
fn nothing_hidden_is_ever_told() {
    READING.check_secrecy();
}

#[test]
fn a_naive_client_agrees_with_the_snapshot_of_every_moment() {
    READING.check_naive_client();
}

#[test]
fn a_snapshot_is_enough_to_choose_a_legal_move() {
    READING.check_moves();
}

#[test]
fn awaited_players_are_told_the_clock_that_runs() {
    READING.check_clock();
}

#[test]
fn no_clock_runs_at_a_table_with_a_bot() {
    let protocol = READING.dialect();
    for first_dealer in [FirstDealer::First, FirstDealer::Second] {
        let rules = Rules { first_dealer, ..Rules::protocol() };
        let mut opening = parlor_kernel::laws::opening::<KoiKoi>(&rules, 2, "bot");
        Arc::make_mut(&mut opening.seats)[1].bot = Some("random".to_owned());
        let dice = opening.dice();
        let mut log = parlor_kernel::Log::default();
        log.begin(parlor_kernel::Cause::House, 0);
        KoiKoi::open(opening, &dice, &mut log.events);
        let step = tell(&log, Viewer::Seat(Seat(0)), &protocol).remove(0);
        assert_eq!(step.events[0]["players"][1]["is_ai"], true);
        assert!(step.events[1]["timeout_seconds"].is_null());
        assert!(step.snapshot()["flow_state"]["timeout_seconds"].is_null());
    }
}

#[test]
fn four_pairs_are_told_as_teshi_in_detail() {
    let told = READING.four_pairs_told();
    assert_eq!(told["winner"], "p2");
    assert_eq!(by_player(&told["score_changes"], "change"), [0, 6]);
}

#[test]
fn after_a_selection_the_decision_repeats_no_play() {
    READING.told_to_everyone(10, |_, _, steps| {
        for step in steps {
            let Some(decision) = step.events.iter().find(|e| e["event"] == "DecisionRequired")
            else {
                continue;
            };
            let completed = &decision["completed"];
            let selected = step.events[0]["event"] == "TurnProgressAfterSelection";
            assert_eq!(completed["hand_play"].is_null(), selected);
            assert_eq!(completed["deck_flip"].is_null(), selected);
            if selected {
                assert_eq!(step.events[0]["yaku_update"], decision["yaku_update"]);
                assert_eq!(step.events[0]["next_state"], decision["next_state"]);
            }
        }
    });
}

#[test]
fn multipliers_explain_the_final_points() {
    READING.told_of("RoundScored", 10, |event| {
        let factors = &event["multipliers"];
        let factor = number(&factors["seven_plus"]) * number(&factors["opponent_koi"]);
        assert_eq!(number(&event["base_total"]) * factor, number(&event["final_points"]));
        let base: u64 = yaku(&event["yakus"], "type").iter().map(|(_, points)| points).sum();
        assert_eq!(base, number(&event["base_total"]));
    });
}

#[test]
fn the_dealt_hands_are_cards_for_their_owner_and_a_count_for_others() {
    READING.told_to_everyone(2, |_, viewer, steps| {
        for event in steps.iter().flat_map(|step| &step.events) {
            for hand in event["hands"].as_array().into_iter().flatten() {
                let seat = Seat(place(&text(&hand["player_id"])) as u8);
                if viewer.shares(seat) {
                    assert_eq!(texts(&hand["cards"]).len(), 8);
                } else {
                    assert_eq!(hand["count"], 8);
                    assert!(hand.get("cards").is_none());
                }
            }
        }
    });
}

#[test]
fn those_who_see_all_get_both_hands_beside_the_snapshot() {
    READING.check_open_hands();
}

#[test]
fn a_snapshot_before_the_match_is_opened_still_has_every_field() {
    let protocol = READING.dialect();
    let listener = parlor_kernel::DialectView::new(Viewer::Public, protocol.clone());
    let snapshot = serde_json::from_str(&listener.snapshot("law", 0, None)).unwrap();
    READING.schemas().judge(&snapshot);
    assert_named(&snapshot, "GameSnapshotRestore", NAMED);
    assert_eq!(snapshot["flow_state"]["stage"], "UNOPENED");
}

#[test]
fn refusals_and_comings_and_goings_are_events_without_a_position() {
    READING.check_asides();
}

#[test]
fn a_refusal_after_the_match_allows_no_retry() {
    let over = RefusalNotice { code: "INVALID_STATE", is_over: true, ..REBUFF };
    let told = READING.refused(&over);
    assert_eq!(told["error_code"], "INVALID_STATE");
    assert_eq!(told["retry_allowed"], false);
}

#[test]
fn a_whole_match_reads_as_the_protocol() {
    let lines = READING.short_match(Rules::protocol(), "golden/2212");
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn what_the_server_does_not_take_is_told_under_the_five_codes() {
    READING.errors_are_refusals();
}

#[test]
fn a_snapshot_has_an_id_and_a_flow_state_of_its_own_at_every_moment() {
    READING.snapshots_stand_alone();
}

#[test]
fn the_schema_of_a_refusal_knows_five_codes() {
    let schemas = READING.dialect().schemas();
    let refusal = schemas.iter().find(|schema| schema.name == "TurnError").expect("a schema");
    let codes = &refusal.schema["$defs"]["ErrorCode"]["enum"];
    let five =
        ["INVALID_CARD", "INVALID_TARGET", "WRONG_PLAYER", "INVALID_STATE", "INVALID_SELECTION"];
    assert_eq!(*codes, serde_json::json!(five));
}
