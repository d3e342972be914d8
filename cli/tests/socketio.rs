//! Rooms, as the real `socket.io-client` finds them. The scenarios are in
//! `socketio/`, one file for each kind; here each gets a house of its own.

mod common;

use common::*;
use serde_json::json;

/// A house for a scenario that needs nothing special.
fn plays(scenario: &str) {
    node(&mut House::open(&[]), scenario);
}

#[test]
fn two_people_play_a_whole_game() {
    plays("games.two");
}

#[test]
fn three_people_play_a_whole_game() {
    plays("games.three");
}

#[test]
fn four_people_play_a_whole_game_in_teams() {
    plays("games.four");
}

#[test]
fn a_durch_and_a_bettel_are_announced_where_the_house_plays_them() {
    plays("games.announcing");
}

#[test]
fn people_play_whole_games_against_bots() {
    plays("games.withBots");
}

#[test]
fn whoever_joins_late_hears_everything() {
    plays("comings.joiningLate");
}

#[test]
fn a_socket_that_drops_mid_trick_comes_back() {
    plays("comings.sameSocket");
}

#[test]
fn a_player_who_drops_mid_trick_comes_back_on_a_fresh_socket() {
    plays("comings.freshSocket");
}

#[test]
fn two_sockets_of_one_seat_both_hear_everything() {
    plays("comings.twoSockets");
}

#[test]
fn a_sync_gives_what_was_missed_and_nothing_comes_twice() {
    plays("comings.syncing");
}

#[test]
fn all_meld_in_the_same_instant_and_nothing_is_lost() {
    plays("comings.melding");
}

#[test]
fn one_player_exits_and_the_room_is_closed() {
    plays("comings.exiting");
}

#[test]
fn an_export_ends_the_game_it_shows() {
    plays("comings.exporting");
}

#[test]
fn a_room_in_which_nothing_happens_is_closed() {
    node(&mut House::open(&["--inactive-after", "2"]), "comings.inactive");
}

#[test]
fn clocks_keep_no_room_alive_that_people_have_left() {
    node(&mut House::open(&["--inactive-after", "5"]), "comings.deserted");
}

#[test]
fn who_goes_out_waits_no_longer_than_the_clock_for_melds() {
    plays("comings.goneOut");
}

/// The one game of a house in which bots stood in: its log verifies, and a
/// stand-in is told from whoever it stood in for.
fn stands_up_to_verification(house: &House) {
    let store = house.scratch.store();
    let games = parlor(&["games", "--store", &store, "--json"]).lines();
    let [game] = &games[..] else { panic!("{games:?}") };
    let id = game["game_id"].as_str().expect("its id");
    let log = parlor(&["export", "--store", &store, id]).lines();
    let by = |who: &str| log.iter().filter(|line| line["cause"]["by"] == who).count();
    assert!(by("stand-in") > 0 && by("seat") > 0);
    let verified = parlor(&["verify", "--store", &store, id]);
    assert_eq!(verified.code, 0, "{}", verified.err);
    assert_eq!(parlor(&["replay", "--store", &store, id]).code, 0);
}

#[test]
fn a_bot_plays_for_whoever_is_away_until_they_are_back() {
    let mut house = House::open(&[]);
    node(&mut house, "standins.away");
    stands_up_to_verification(&house);
}

#[test]
fn who_is_stood_in_for_is_so_after_a_restart_and_a_game_that_all_have_left_ends() {
    let mut house = House::open(&[]);
    node(&mut house, "standins.everyone");
    stands_up_to_verification(&house);
}

#[test]
fn stand_ins_keep_no_room_alive_that_people_have_left() {
    node(&mut House::open(&["--inactive-after", "6"]), "standins.lapsing");
}

#[test]
fn the_same_command_again_under_its_key_does_nothing_new() {
    plays("comings.keys");
}

#[test]
fn a_client_of_the_contract_alone_plays_the_preset_web() {
    plays("web.games");
}

#[test]
fn session_calls_are_refused_by_the_contracts_codes() {
    plays("refusals.calls");
}

#[test]
fn sockets_without_a_seat_are_turned_away() {
    plays("refusals.connecting");
}

#[test]
fn every_move_is_refused_for_its_precise_reason() {
    plays("refusals.moves");
}

#[test]
fn ten_thousand_events_a_second_disturb_nobody() {
    let mut house = House::bare(&["--bot-pace", "0"], &[]);
    node(&mut house, "floods.limited");
}

#[test]
fn without_limits_a_flood_still_disturbs_nobody() {
    plays("floods.unlimited");
}

#[test]
fn what_is_too_long_is_cut_off_and_harms_nobody() {
    plays("floods.oversized");
}

#[test]
fn the_past_of_any_length_comes_after_a_reload() {
    plays("reloads.ofEverySize");
}

#[test]
fn a_player_who_reloads_all_the_time_misses_nothing() {
    plays("reloads.midGame");
}

#[test]
fn polling_seats_behind_one_address_are_not_cut_off() {
    let settings = Scratch::new();
    let file = settings.path().join("parlor.toml");
    // Sessions may be made, and hardly a call beside them.
    let limits =
        "[limits]\ncalls_per_second = 15\npolls_per_second = 300\nevents_per_ten_seconds = 1000\n";
    std::fs::write(&file, limits).expect("a settings file");
    let flags = ["--bot-pace", "0", "--config", file.to_str().expect("a path")];
    node(&mut House::bare(&flags, &[]), "reloads.polling");
}

#[test]
fn a_client_is_told_how_much_fits_one_request() {
    plays("reloads.longBatch");
}

#[test]
fn no_seat_receives_a_card_it_may_not_know() {
    plays("secrecy.hidden");
}

#[test]
fn a_game_goes_on_after_a_crash_and_after_a_stop() {
    plays("restart.midGame");
}

#[test]
fn who_has_joined_is_known_after_a_crash() {
    plays("restart.whoCame");
}

#[test]
fn only_who_leads_a_game_ends_it() {
    let house = House::open(&[]);
    let order = json!({ "game": "binokel", "seats": [
        { "name": "Ann", "kind": "human" }, { "kind": "human" },
    ]});
    let mut table = house.lay(&order);
    house.join(&mut table, "Ben");
    house.start(&table);
    let end = |table: &Table, token| house.post(&table.path("/terminate"), token, &json!({}));
    end(&table, None).refused(401, "UNAUTHENTICATED");
    end(&table, table.token(1)).refused(403, "FORBIDDEN");
    assert_eq!(end(&table, Some(ADMIN)).with(200)["status"], "terminated");
    assert_eq!(house.get(&table.path(""), None).with(200)["status"], "terminated");
    end(&table, Some(ADMIN)).refused(409, "ALREADY_OVER");
    assert!(house.admin_log(&table).contains("GAME_TERMINATED"));

    let koikoi = house.two_people(&json!({}));
    let because = json!({ "reason": "supper" });
    house.post(&koikoi.path("/terminate"), Some(ADMIN), &because).with(200);
    assert_eq!(house.get(&koikoi.path(""), None).with(200)["status"], "terminated");
    for dialect in ["koikoi.protocol", "koikoi.contract"] {
        let snapshot = koikoi.path(&format!("/snapshot?dialect={dialect}"));
        let told = house.get(&snapshot, koikoi.token(0)).with(200);
        assert_eq!(told["finished"]["reason"], "CALLED_OFF", "{told}");
        assert_eq!(told["finished"]["note"], "supper");
    }
    let waiting = house.for_two(&json!({}));
    end(&waiting, Some(ADMIN)).with(200);
    house
        .call("POST", &waiting.path("/start"), waiting.token(0), b"")
        .refused(409, "ALREADY_STARTED");
    house.get(&waiting.path("/snapshot"), None).refused(409, "NOT_STARTED");
    house.get(&waiting.path("/log"), None).refused(409, "NOT_STARTED");
}

#[test]
fn a_session_is_a_table_like_any_other() {
    let house = House::open(&[]);
    let body = json!({ "playerCount": 2, "nickname": "Ann" });
    let made = house.post("/api/sessions", None, &body).with(201);
    let text = |name: &str| made[name].as_str().expect("a text").to_owned();
    let mut table = Table {
        id: text("sessionId"),
        code: text("sessionCode"),
        tokens: vec![Some(text("secretId")), None],
    };
    let by_code = format!("/api/v1/tables/{}", table.code.to_uppercase());
    assert_eq!(house.get(&by_code, None).with(200)["table_id"], made["sessionId"]);
    assert_eq!(house.join(&mut table, "Ben"), 1);
    house.start(&table);
    // One log, told by HTTP, SSE and WebSocket alike.
    let dialect = "binokel.events";
    let told = house.listen(&table, Some(0), dialect, Some(0)).take(4);
    let bid = json!({ "event": "game:bid", "data": { "amount": 150 } });
    assert_eq!(house.command(&table, 0, dialect, &bid).with(200)["position"], 5);
    let mut socket = Socket::open(&house, &table, dialect).expect("a socket");
    socket.say(&json!({ "type": "auth", "token": table.token(0), "after": 0 }));
    for message in &told {
        assert_eq!(socket.next().expect("an event").text, message.text);
    }
    assert_eq!(socket.next().expect("the bid").json()["type"], "BID_PLACED");
}
