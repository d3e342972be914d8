//! The contract dialect, against its contract and against a naive client.

mod wire;

use parlor_kernel::Viewer;
use parlor_koikoi::Rules;
use serde_json::Value;
use wire::client::{Client, body, by_player, flow, number, place, text, texts, yaku};
use wire::reading::{REBUFF, Reading};
use wire::{matches, tell};

const READING: Reading = Reading {
    name: "koikoi.contract",
    discriminator: "event_type",
    player: "player_id",
    named: NAMED,
    own_shapes: &["RoundScored", "RoundScored GameFinished"],
    timestamp: |millis| parlor_koikoi::wire::iso8601(millis).into(),
    awaited: "/active_player_id",
    clock: "/timeout_seconds",
    restore,
    hear,
};

/// The fields that the contract names, copied from it by hand.
const NAMED: &[(&str, &str)] = &[
    (
        "GameStarted",
        "event_type event_id timestamp game_id players[].player_id players[].player_name \
         players[].is_ai ruleset.target_score ruleset.yaku_settings[].yaku_type \
         ruleset.yaku_settings[].base_points ruleset.yaku_settings[].enabled \
         ruleset.special_rules.teshi_enabled ruleset.special_rules.field_kuttsuki_enabled \
         starting_player_id",
    ),
    (
        "RoundDealt",
        "event_type event_id timestamp dealer_id field[] hands[].player_id hands[].cards[] \
         deck_remaining next_state.state_type next_state.active_player_id",
    ),
    (
        "TurnCompleted",
        "event_type event_id timestamp player_id hand_card_play.played_card \
         hand_card_play.matched_card hand_card_play.captured_cards[] draw_card_play.played_card \
         draw_card_play.matched_card draw_card_play.captured_cards[] deck_remaining \
         next_state.state_type next_state.active_player_id",
    ),
    (
        "SelectionRequired",
        "event_type event_id timestamp player_id hand_card_play.played_card \
         hand_card_play.matched_card hand_card_play.captured_cards[] drawn_card \
         possible_targets[] deck_remaining",
    ),
    (
        "TurnProgressAfterSelection",
        "event_type event_id timestamp player_id selection.source_card \
         selection.selected_target selection.captured_cards[] draw_card_play.played_card \
         draw_card_play.matched_card draw_card_play.captured_cards[] \
         yaku_update.newly_formed_yaku[].yaku_type yaku_update.all_active_yaku[].yaku_type \
         deck_remaining next_state.state_type next_state.active_player_id",
    ),
    (
        "DecisionRequired",
        "event_type event_id timestamp player_id hand_card_play.played_card \
         draw_card_play.played_card yaku_update.newly_formed_yaku[].yaku_type \
         yaku_update.newly_formed_yaku[].base_points \
         yaku_update.newly_formed_yaku[].contributing_cards[] \
         yaku_update.all_active_yaku[].yaku_type yaku_update.all_active_yaku[].base_points \
         yaku_update.all_active_yaku[].contributing_cards[] \
         current_multipliers.player_multipliers.p1 current_multipliers.player_multipliers.p2 \
         deck_remaining",
    ),
    (
        "DecisionMade",
        "event_type event_id timestamp player_id decision \
         updated_multipliers.player_multipliers.p1 updated_multipliers.player_multipliers.p2 \
         next_state.state_type next_state.active_player_id",
    ),
    (
        "RoundScored",
        "event_type event_id timestamp winner_id yaku_list[].yaku_type yaku_list[].base_points \
         yaku_list[].contributing_cards[] base_score final_score \
         multipliers.player_multipliers.p1 multipliers.player_multipliers.p2 \
         updated_total_scores[].player_id updated_total_scores[].score",
    ),
    (
        "RoundDrawn",
        "event_type event_id timestamp current_total_scores[].player_id \
         current_total_scores[].score",
    ),
    (
        "RoundEndedInstantly",
        "event_type event_id timestamp reason winner_id awarded_points \
         updated_total_scores[].player_id updated_total_scores[].score",
    ),
    (
        "GameFinished",
        "event_type event_id timestamp winner_id final_scores[].player_id final_scores[].score",
    ),
    ("TurnError", "event_type event_id timestamp player_id error_code error_message retry_allowed"),
    (
        "GameSnapshotRestore",
        "event_type event_id timestamp game_id players[].player_id players[].player_name \
         players[].is_ai ruleset.target_score ruleset.yaku_settings[].yaku_type \
         ruleset.special_rules.teshi_enabled ruleset.special_rules.field_kuttsuki_enabled \
         field_cards[] deck_remaining player_hands[].player_id player_hands[].cards[] \
         player_depositories[].player_id player_depositories[].cards[] \
         player_scores[].player_id player_scores[].score current_flow_stage active_player_id \
         koi_statuses[].player_id koi_statuses[].koi_multiplier koi_statuses[].times_continued",
    ),
];

fn restore(snapshot: &Value) -> Client {
    let me = snapshot["my_player_id"].as_str().map(str::to_owned);
    let pending = &snapshot["pending_selection"];
    let mine = me.as_deref().map(place);
    let hand = mine.map(|mine| texts(&snapshot["player_hands"][mine]["cards"]));
    let pile = |at: usize| texts(&snapshot["player_depositories"][at]["cards"]);
    Client {
        me,
        field: texts(&snapshot["field_cards"]),
        hand: hand.unwrap_or_default().into_iter().collect(),
        hand_counts: by_player(&snapshot["player_hands"], "card_count"),
        captures: [0, 1].map(|at| pile(at).into_iter().collect()),
        deck: number(&snapshot["deck_remaining"]),
        scores: by_player(&snapshot["player_scores"], "score"),
        dealer: text(&snapshot["dealer_id"]),
        round: number(&snapshot["round_number"]),
        rounds_played: number(&snapshot["rounds_played"]),
        koi: by_player(&snapshot["koi_statuses"], "times_continued").map(|calls| calls + 1),
        yaku: [0, 1].map(|at| yaku(&snapshot["active_yaku"][at]["yaku"], "yaku_type")),
        flow: (snapshot["phase"] == "PLAYING")
            .then(|| (text(&snapshot["current_flow_stage"]), text(&snapshot["active_player_id"]))),
        pending: pending
            .is_object()
            .then(|| (text(&pending["drawn_card"]), texts(&pending["possible_targets"]))),
        last_round: snapshot["last_round"].clone(),
        finished: snapshot["finished"].clone(),
    }
}

fn hear(client: &mut Client, event: &Value) {
    let player = event["player_id"].as_str().unwrap_or_default();
    let name = event["event_type"].as_str().expect("a name");
    match name {
        "GameStarted" => client.me = event["my_player_id"].as_str().map(str::to_owned),
        "RoundDealt" => {
            let mine = client.me.as_deref().map(place);
            let hand = mine.map(|mine| texts(&event["hands"][mine]["cards"]));
            client.deal(
                number(&event["round_number"]),
                text(&event["dealer_id"]),
                texts(&event["field"]),
                hand.unwrap_or_default(),
            );
        }
        "SelectionRequired" => {
            client.pending = Some((text(&event["drawn_card"]), texts(&event["possible_targets"])));
            client.flow = Some(("AWAITING_SELECTION".to_owned(), player.to_owned()));
        }
        "DecisionRequired" => {
            client.pending = None;
            client.flow = Some(("AWAITING_DECISION".to_owned(), player.to_owned()));
        }
        "TurnProgressAfterSelection" => {
            client.pending = None;
            let (selection, play) = (&event["selection"], &event["draw_card_play"]);
            assert_eq!(selection["source_card"], play["played_card"]);
            assert_eq!(selection["selected_target"], play["matched_card"]);
            assert_eq!(selection["captured_cards"], play["captured_cards"]);
        }
        "TurnCompleted" => {}
        "DecisionMade" => {
            assert_eq!(event["decision"], "KOI_KOI");
            client.koi[place(player)] += 1;
        }
        "RoundScored" | "RoundDrawn" | "RoundEndedInstantly" => {
            let totals = if name == "RoundDrawn" {
                &event["current_total_scores"]
            } else {
                &event["updated_total_scores"]
            };
            client.scores = by_player(totals, "score");
            client.rounds_played += 1;
            client.flow = None;
            client.last_round = body(event, &["event_id", "timestamp"]);
        }
        "GameFinished" => {
            assert_eq!(by_player(&event["final_scores"], "score"), client.scores);
            client.finished = body(event, &["event_type", "event_id", "timestamp"]);
        }
        other => panic!("there is no event {other}"),
    }
    let hand = &event["hand_card_play"];
    if hand.is_object() {
        client.leave_hand(player, hand["played_card"].as_str().expect("a card"));
    }
    for play in [hand, &event["draw_card_play"]].into_iter().filter(|play| play.is_object()) {
        let card = text(&play["played_card"]);
        let mut taken = texts(&play["captured_cards"]);
        assert_eq!(play["matched_card"].as_str(), taken.get(1).map(String::as_str));
        taken.retain(|other| *other != card);
        client.meet(player, card, taken);
    }
    if let Some(left) = event.get("deck_remaining") {
        client.deck = number(left);
    }
    if let Some(state) = event.get("next_state") {
        client.flow = flow(state, "state_type", "active_player_id");
    }
    if event["yaku_update"].is_object() {
        client.yaku[place(player)] = yaku(&event["yaku_update"]["all_active_yaku"], "yaku_type");
    }
}

#[test]
fn every_event_is_what_its_schema_and_the_contract_say() {
    READING.check_events();
}

#[test]
fn a_step_is_told_in_the_order_of_the_contract() {
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
fn four_pairs_are_told_as_teshi_in_detail() {
    let told = READING.four_pairs_told();
    assert_eq!((&told["winner_id"], &told["awarded_points"]), (&"p2".into(), &6.into()));
}

#[test]
fn after_a_selection_the_decision_tells_the_selected_capture() {
    READING.told_to_everyone(10, |_, _, steps| {
        for pair in steps.windows(2) {
            let (before, [event, ..]) = (pair[0].snapshot(), &pair[1].events[..]) else { return };
            if event["event_type"] == "DecisionRequired" {
                let selected = before["current_flow_stage"] == "AWAITING_SELECTION";
                assert_eq!(event["hand_card_play"].is_null(), selected);
                let drawn = &before["pending_selection"]["drawn_card"];
                assert!(!selected || event["draw_card_play"]["played_card"] == *drawn);
            }
        }
    });
}

#[test]
fn the_winners_multiplier_explains_the_final_score() {
    READING.told_of("RoundScored", 10, |event| {
        let winner = text(&event["winner_id"]);
        let factor = number(&event["multipliers"]["player_multipliers"][winner]);
        assert_eq!(number(&event["base_score"]) * factor, number(&event["final_score"]));
        let yaku = yaku(&event["yaku_list"], "yaku_type");
        let base: u64 = yaku.iter().map(|(_, points)| points).sum();
        assert_eq!(base, number(&event["base_score"]));
    });
}

#[test]
fn all_twelve_yaku_are_listed_by_their_japanese_names() {
    let (_, log) = matches(1).next().unwrap();
    let steps = tell(&log, Viewer::Public, &READING.dialect());
    let settings = steps[0].events[0]["ruleset"]["yaku_settings"].as_array().unwrap();
    let mut named: Vec<String> = settings.iter().map(|one| text(&one["yaku_type"])).collect();
    let mut expected: Vec<&str> =
        "五光 四光 雨四光 三光 猪鹿蝶 赤短 青短 短 種 かす 花見酒 月見酒".split(' ').collect();
    named.sort();
    expected.sort();
    assert_eq!(named, expected);
    for setting in settings {
        assert_eq!(setting["enabled"], number(&setting["base_points"]) > 0);
    }
}

#[test]
fn refusals_and_comings_and_goings_are_events_without_a_position() {
    READING.check_asides();
    assert_eq!(READING.refused(&REBUFF)["timestamp"], "1970-01-01T00:00:00.012Z");
}

#[test]
fn those_who_see_all_get_both_hands_beside_the_snapshot() {
    READING.check_open_hands();
}

#[test]
fn a_whole_match_reads_as_the_contract() {
    let lines = READING.short_match(Rules::contract(), "golden/896");
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
