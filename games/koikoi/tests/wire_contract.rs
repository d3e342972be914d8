//! The contract dialect, against its contract and against a naive client.

mod wire;

use std::collections::BTreeSet;

use parlor_kernel::{Game, Rebuff, Seat, Viewer};
use parlor_koikoi::{KoiKoi, Rules};
use serde_json::Value;
use wire::client::{Client, body, by_player, flow, number, place, text, texts, yaku};
use wire::{
    Schemas, ToldStep, VIEWERS, assert_named, assert_no_secret, commands_offered, matches, shape,
    tell,
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

/// What one step can be told as.
const SHAPES: &[&str] = &[
    "GameStarted RoundDealt",
    "GameStarted RoundDealt RoundEndedInstantly",
    "RoundDealt",
    "RoundDealt RoundEndedInstantly",
    "RoundDealt RoundEndedInstantly GameFinished",
    "TurnCompleted",
    "TurnCompleted RoundScored",
    "TurnCompleted RoundScored GameFinished",
    "TurnCompleted RoundDrawn",
    "TurnCompleted RoundDrawn GameFinished",
    "SelectionRequired",
    "TurnProgressAfterSelection",
    "TurnProgressAfterSelection RoundScored",
    "TurnProgressAfterSelection RoundScored GameFinished",
    "TurnProgressAfterSelection RoundDrawn",
    "TurnProgressAfterSelection RoundDrawn GameFinished",
    "DecisionRequired",
    "DecisionMade",
    "RoundScored",
    "RoundScored GameFinished",
];

/// The part of a client that speaks this dialect.
trait Contract {
    fn restore(snapshot: &Value) -> Self;
    fn hear(&mut self, event: &Value);
}

impl Contract for Client {
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
            flow: snapshot["current_flow_stage"].is_string().then(|| {
                (text(&snapshot["current_flow_stage"]), text(&snapshot["active_player_id"]))
            }),
            pending: pending
                .is_object()
                .then(|| (text(&pending["drawn_card"]), texts(&pending["possible_targets"]))),
            last_round: snapshot["last_round"].clone(),
            finished: snapshot["finished"].clone(),
        }
    }

    fn hear(&mut self, event: &Value) {
        let player = event["player_id"].as_str().unwrap_or_default();
        let name = event["event_type"].as_str().expect("a name");
        match name {
            "GameStarted" => self.me = event["my_player_id"].as_str().map(str::to_owned),
            "RoundDealt" => {
                let mine = self.me.as_deref().map(place);
                let hand = mine.map(|mine| texts(&event["hands"][mine]["cards"]));
                self.deal(
                    number(&event["round_number"]),
                    text(&event["dealer_id"]),
                    texts(&event["field"]),
                    hand.unwrap_or_default(),
                );
            }
            "SelectionRequired" => {
                self.pending =
                    Some((text(&event["drawn_card"]), texts(&event["possible_targets"])));
                self.flow = Some(("AWAITING_SELECTION".to_owned(), player.to_owned()));
            }
            "DecisionRequired" => {
                self.pending = None;
                self.flow = Some(("AWAITING_DECISION".to_owned(), player.to_owned()));
            }
            "TurnProgressAfterSelection" => {
                self.pending = None;
                let (selection, play) = (&event["selection"], &event["draw_card_play"]);
                assert_eq!(selection["source_card"], play["played_card"]);
                assert_eq!(selection["selected_target"], play["matched_card"]);
                assert_eq!(selection["captured_cards"], play["captured_cards"]);
            }
            "TurnCompleted" => {}
            "DecisionMade" => {
                assert_eq!(event["decision"], "KOI_KOI");
                self.koi[place(player)] += 1;
            }
            "RoundScored" | "RoundDrawn" | "RoundEndedInstantly" => {
                let totals = if name == "RoundDrawn" {
                    &event["current_total_scores"]
                } else {
                    &event["updated_total_scores"]
                };
                self.scores = by_player(totals, "score");
                self.rounds_played += 1;
                self.flow = None;
                self.last_round = body(event, &["event_id", "timestamp"]);
            }
            "GameFinished" => {
                assert_eq!(by_player(&event["final_scores"], "score"), self.scores);
                self.finished = body(event, &["event_type", "event_id", "timestamp"]);
            }
            other => panic!("there is no event {other}"),
        }
        let hand = &event["hand_card_play"];
        if hand.is_object() {
            self.leave_hand(player, hand["played_card"].as_str().expect("a card"));
        }
        for play in [hand, &event["draw_card_play"]].into_iter().filter(|play| play.is_object()) {
            let card = text(&play["played_card"]);
            let mut taken = texts(&play["captured_cards"]);
            assert_eq!(play["matched_card"].as_str(), taken.get(1).map(String::as_str));
            taken.retain(|other| *other != card);
            self.meet(player, card, taken);
        }
        if let Some(left) = event.get("deck_remaining") {
            self.deck = number(left);
        }
        if let Some(state) = event.get("next_state") {
            self.flow = flow(state, "state_type", "active_player_id");
        }
        if event["yaku_update"].is_object() {
            self.yaku[place(player)] = yaku(&event["yaku_update"]["all_active_yaku"], "yaku_type");
        }
    }
}

fn told_to_everyone(count: usize, mut check: impl FnMut(&str, Viewer, &[ToldStep])) {
    let contract = wire::dialect("koikoi.contract");
    for (seed, log) in matches(count) {
        for viewer in VIEWERS {
            check(&seed, viewer, &tell(&log, viewer, &contract));
        }
    }
}

#[test]
fn every_event_is_what_its_schema_and_the_contract_say() {
    let schemas = Schemas::of(&wire::dialect("koikoi.contract"), "event_type");
    let mut heard = BTreeSet::new();
    told_to_everyone(40, |_, _, steps| {
        let mut position = 0;
        for (number, step) in steps.iter().enumerate() {
            let now = parlor_koikoi::wire::iso8601(1_700_000_000_000 + 1500 * number as u64);
            for event in &step.events {
                position += 1;
                assert_eq!(event["event_id"], format!("evt_{position}"));
                assert_eq!(event["timestamp"], now);
                schemas.judge(event);
                let name = event["event_type"].as_str().unwrap();
                assert_named(event, name, NAMED);
                heard.insert(name.to_owned());
            }
            let snapshot = step.snapshot();
            assert_eq!(snapshot["event_id"], format!("evt_{position}"));
            assert_eq!(snapshot["timestamp"], now);
            schemas.judge(&snapshot);
            assert_named(&snapshot, "GameSnapshotRestore", NAMED);
        }
    });
    let silent = ["TurnError", "GameSnapshotRestore"];
    let named = NAMED.iter().map(|(name, _)| (*name).to_owned());
    assert_eq!(heard, named.filter(|name| !silent.contains(&name.as_str())).collect());
}

#[test]
fn a_step_is_told_in_the_order_of_the_contract() {
    let mut seen = BTreeSet::new();
    told_to_everyone(40, |_, _, steps| {
        seen.extend(steps.iter().map(|step| shape(step, "event_type")));
    });
    for shape in &seen {
        assert!(SHAPES.contains(&shape.as_str()), "{shape} is no way to tell a step");
    }
    // Rare ways may be missing from some hundred matches; the others may not.
    for shape in SHAPES.iter().filter(|shape| !shape.contains("GameFinished")) {
        let rare = *shape == "GameStarted RoundDealt RoundEndedInstantly";
        assert!(rare || seen.contains(*shape), "{shape} was never told");
    }
}

#[test]
fn nothing_hidden_is_ever_told() {
    told_to_everyone(40, |seed, viewer, steps| {
        for step in steps {
            for text in step.texts.iter().chain([&step.snapshot_text]) {
                assert_no_secret(text, step, viewer, seed);
            }
        }
    });
}

#[test]
fn a_naive_client_agrees_with_the_snapshot_of_every_moment() {
    told_to_everyone(25, |seed, viewer, steps| {
        let mut live = Client::default();
        for (number, step) in steps.iter().enumerate() {
            // One client hears everything, another begins with the snapshot
            // before this step: together they begin at every position.
            let mut resumed = match number.checked_sub(1) {
                Some(before) => Client::restore(&steps[before].snapshot()),
                None => Client::default(),
            };
            for event in &step.events {
                live.hear(event);
                resumed.hear(event);
            }
            let restored = Client::restore(&step.snapshot());
            assert_eq!(live, restored, "'{seed}' {viewer} step {number}");
            assert_eq!(resumed, restored, "'{seed}' {viewer} step {number}, resumed");
        }
    });
}

#[test]
fn a_snapshot_is_enough_to_choose_a_legal_move() {
    told_to_everyone(10, |_, _, steps| {
        for step in steps {
            let moves = Client::restore(&step.snapshot()).moves();
            assert_eq!(moves, commands_offered(&step.knowledge));
        }
    });
}

#[test]
fn awaited_players_are_told_the_clock_that_runs() {
    told_to_everyone(10, |_, _, steps| {
        for step in steps {
            let snapshot = step.snapshot();
            let awaited = snapshot["active_player_id"].as_str();
            let awaited = awaited.map(|player| Seat(place(player) as u8));
            let clock = awaited.and_then(|seat| KoiKoi::clock(&step.state, seat));
            let seconds = clock.map(|clock| clock.as_secs());
            assert_eq!(snapshot["timeout_seconds"].as_u64(), seconds);
            for event in step.events.iter().filter(|event| event.get("next_state").is_some()) {
                let told = event.get("timeout_seconds").expect("timeout_seconds is sent").as_u64();
                assert_eq!(told, seconds.filter(|_| !event["next_state"].is_null()));
            }
        }
    });
}

#[test]
fn four_pairs_are_told_as_teshi_in_detail() {
    let told = wire::four_pairs_told("koikoi.contract");
    assert_eq!((&told["reason"], &told["detail"]), (&"TESHI".into(), &"FOUR_PAIRS".into()));
    assert_eq!((&told["winner_id"], &told["awarded_points"]), (&"p2".into(), &6.into()));
    assert_eq!(texts(&told["shown"]["hands"][1]["cards"]).len(), 8);
}

#[test]
fn after_a_selection_the_decision_tells_the_selected_capture() {
    told_to_everyone(10, |_, _, steps| {
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
    told_to_everyone(10, |_, _, steps| {
        for event in steps.iter().flat_map(|step| &step.events) {
            if event["event_type"] == "RoundScored" {
                let winner = text(&event["winner_id"]);
                let factor = number(&event["multipliers"]["player_multipliers"][winner]);
                assert_eq!(number(&event["base_score"]) * factor, number(&event["final_score"]));
                let yaku = event["yaku_list"].as_array().unwrap().iter();
                let base: u64 = yaku.map(|yaku| number(&yaku["base_points"])).sum();
                assert_eq!(base, number(&event["base_score"]));
            }
        }
    });
}

#[test]
fn all_twelve_yaku_are_listed_by_their_japanese_names() {
    let (_, log) = matches(1).next().unwrap();
    let steps = tell(&log, Viewer::Public, &wire::dialect("koikoi.contract"));
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

const REBUFF: Rebuff = Rebuff {
    seat: Seat(1),
    code: "INVALID_CARD",
    message: "no",
    id: "evt_error_3",
    timestamp: 12,
    is_over: false,
};

#[test]
fn refusals_and_comings_and_goings_are_events_without_a_position() {
    let contract = wire::dialect("koikoi.contract");
    let schemas = Schemas::of(&contract, "event_type");
    let read = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    let refused = read(contract.refusal(&REBUFF));
    schemas.judge(&refused);
    assert_named(&refused, "TurnError", NAMED);
    assert_eq!(refused["event_id"], "evt_error_3");
    assert_eq!(refused["timestamp"], "1970-01-01T00:00:00.012Z");
    assert_eq!((&refused["player_id"], &refused["retry_allowed"]), (&"p2".into(), &true.into()));
    let back = read(contract.presence(Seat(0), true, 12));
    schemas.judge(&back);
    assert_eq!(back["event_type"], "PlayerConnectionChanged");
    assert_eq!((&back["player_id"], &back["connected"]), (&"p1".into(), &true.into()));
}

#[test]
fn those_who_see_all_get_both_hands_beside_the_snapshot() {
    let contract = wire::dialect("koikoi.contract");
    let schemas = Schemas::of(&contract, "event_type");
    let (_, log) = matches(1).next().unwrap();
    for step in tell(&log, Viewer::Postmortem, &contract) {
        step.events.iter().for_each(|event| schemas.judge(event));
        let snapshot = step.snapshot();
        schemas.judge(&snapshot);
        for (seat, shown) in snapshot["hands"].as_array().expect("hands").iter().enumerate() {
            let hand = step.state.hands[seat].iter().map(|card| card.to_string());
            assert_eq!(texts(&shown["cards"]), hand.collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_whole_match_reads_as_the_contract() {
    let rules = Rules { rounds: Some(2), ..Rules::contract() };
    let (log, _) = parlor_kernel::laws::random_game::<KoiKoi>(&rules, 2, "golden/896");
    let steps = tell(&log, Viewer::Seat(Seat(0)), &wire::dialect("koikoi.contract"));
    let mut lines: Vec<String> = steps.iter().flat_map(|step| step.texts.clone()).collect();
    lines.push(steps.last().unwrap().snapshot_text.clone());
    insta::assert_snapshot!(lines.join("\n"));
}
