//! What every backend must do: one suite, run for each of them.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};

use common::{Folder, append, commit, event, events, json};
use parlor_store::{Answer, Batch, Cursor, GameSummary, Store, StoreError, TableRecord};

/// Runs each law for each backend.
macro_rules! laws {
    ($($law:ident),* $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $law() {
                let folder = super::Folder::new();
                super::$law(&folder.open());
            })*
        }
        mod memory {
            $(#[test]
            fn $law() {
                super::$law(&super::Store::open("memory:").unwrap());
            })*
        }
    };
}

laws!(
    what_was_appended_is_read_back_to_the_byte,
    reading_starts_where_it_is_told,
    a_wrong_expectation_is_a_conflict_and_writes_nothing,
    a_taken_code_takes_the_whole_batch_down,
    a_key_is_answered_once,
    a_refused_batch_does_not_harm_its_neighbours,
    events_out_of_place_are_refused,
    an_append_of_nothing_still_checks_the_position,
    numbers_out_of_range_are_refused,
    a_whole_batch_is_written_together,
    concurrent_tables_keep_every_log_dense,
    one_of_many_wins_each_position,
    readers_see_whole_batches_while_others_write,
    tables_are_replaced_by_id_and_found_by_code,
    tables_are_listed_newest_first,
    a_cursor_never_goes_backwards,
    cursors_are_listed_by_seat_and_dialect,
    games_are_summed_up,
    a_closed_store_refuses_everything,
    closing_waits_for_what_was_accepted,
    an_open_store_answers_a_ping,
);

fn table(id: &str, code: &str, created_at: u64) -> TableRecord {
    TableRecord {
        id: id.into(),
        code: code.into(),
        game: "koikoi".into(),
        status: "waiting".into(),
        created_at,
        updated_at: created_at,
        data: r#"{"seats":2}"#.into(),
    }
}

fn with_table(table: TableRecord) -> Batch {
    Batch { table: Some(table), ..Batch::default() }
}

fn answer(key: &str) -> Answer {
    Answer { table_id: "t1".into(), seat: 1, key: key.into(), answer: r#"{"position":3}"#.into() }
}

fn cursor(seat: u8, dialect: &str, position: u64, at: u64) -> Cursor {
    Cursor { table_id: "t1".into(), seat, dialect: dialect.into(), position, at }
}

fn with_cursor(cursor: Cursor) -> Batch {
    Batch { cursor: Some(cursor), ..Batch::default() }
}

/// Several threads, so that batches really come at the same time.
fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().unwrap()
}

fn what_was_appended_is_read_back_to_the_byte(store: &Store) {
    // Spaces, unusual numbers and unusual text must all come back unchanged.
    let texts = [r#"{ "a" : 1.0 }"#, "1.0", "-0", "1e3", "null", r#""9""#, r#"{"ß":"\u0000"}"#];
    let mut append = append("g", 0, texts.len() as u64);
    for (envelope, text) in append.envelopes.iter_mut().zip(texts) {
        envelope.payload = json(text);
        envelope.cause = envelope.cause.is_some().then(|| json(text));
    }
    let written = append.envelopes.clone();
    commit(store, Batch { append: Some(append), ..Batch::default() }).unwrap();
    assert_eq!(store.read("g", 0).unwrap(), written);
}

fn reading_starts_where_it_is_told(store: &Store) {
    commit(store, events("g", 0, 3)).unwrap();
    commit(store, events("g", 3, 2)).unwrap();
    assert_eq!(store.position("g").unwrap(), 5);
    assert_eq!(store.read("g", 3).unwrap(), [event("g", 3), event("g", 4)]);
    assert_eq!(store.read("g", 5).unwrap(), []);
    assert_eq!(store.read("g", u64::MAX).unwrap(), []);
    assert_eq!(store.read("unknown", 0).unwrap(), []);
    assert_eq!(store.position("unknown").unwrap(), 0);
}

fn a_wrong_expectation_is_a_conflict_and_writes_nothing(store: &Store) {
    commit(store, events("g", 0, 2)).unwrap();
    for expected in [0, 1, 3] {
        let batch = Batch {
            append: Some(append("g", expected, 1)),
            table: Some(table("t1", "CODE", 1)),
            answer: Some(answer("key")),
            cursor: Some(cursor(0, "log", 1, 1)),
        };
        let conflict = StoreError::Conflict { game_id: "g".into(), expected, found: 2 };
        assert_eq!(commit(store, batch), Err(conflict));
    }
    assert_eq!(store.position("g").unwrap(), 2);
    assert_eq!(store.table("t1").unwrap(), None);
    assert_eq!(store.answer("t1", 1, "key").unwrap(), None);
    assert_eq!(store.cursors("t1").unwrap(), []);
}

fn a_taken_code_takes_the_whole_batch_down(store: &Store) {
    commit(store, with_table(table("t1", "CODE", 1))).unwrap();
    let batch = Batch {
        append: Some(append("g", 0, 2)),
        table: Some(table("t2", "CODE", 2)),
        answer: Some(answer("key")),
        cursor: Some(cursor(0, "log", 1, 1)),
    };
    assert_eq!(commit(store, batch), Err(StoreError::CodeTaken("CODE".into())));
    assert_eq!(store.position("g").unwrap(), 0);
    assert_eq!(store.table("t2").unwrap(), None);
    assert_eq!(store.answer("t1", 1, "key").unwrap(), None);
    assert_eq!(store.cursors("t1").unwrap(), []);
}

fn a_key_is_answered_once(store: &Store) {
    let first =
        Batch { append: Some(append("g", 0, 1)), answer: Some(answer("key")), ..Batch::default() };
    commit(store, first).unwrap();
    let again = Answer { answer: "{}".into(), ..answer("key") };
    let second = Batch { append: Some(append("g", 1, 1)), answer: Some(again), ..Batch::default() };
    let answered = StoreError::Answered { table_id: "t1".into(), seat: 1, key: "key".into() };
    assert_eq!(commit(store, second), Err(answered));
    assert_eq!(store.position("g").unwrap(), 1);
    assert_eq!(store.answer("t1", 1, "key").unwrap().as_deref(), Some(r#"{"position":3}"#));
    assert_eq!(store.answer("t1", 0, "key").unwrap(), None);
    assert_eq!(store.answer("t2", 1, "key").unwrap(), None);
    assert_eq!(store.answer("t1", 1, "other").unwrap(), None);
}

fn a_refused_batch_does_not_harm_its_neighbours(store: &Store) {
    // They come all at once, so that good and bad ones share transactions.
    runtime().block_on(async {
        let commits = (0..200u64).map(|n| {
            let store = store.clone();
            let expected = if n % 3 == 0 { 7 } else { 0 };
            tokio::spawn(async move { store.commit(events(&format!("g{n}"), expected, 2)).await })
        });
        for (n, commit) in commits.collect::<Vec<_>>().into_iter().enumerate() {
            assert_eq!(commit.await.unwrap().is_err(), n % 3 == 0);
        }
    });
    for n in 0..200 {
        let wanted = if n % 3 == 0 { 0 } else { 2 };
        assert_eq!(store.position(&format!("g{n}")).unwrap(), wanted);
    }
}

fn events_out_of_place_are_refused(store: &Store) {
    let mut gap = append("g", 0, 2);
    gap.envelopes[1].sequence = 2;
    let mut twice = append("g", 0, 2);
    twice.envelopes[1].sequence = 0;
    let mut elsewhere = append("g", 0, 2);
    elsewhere.envelopes[1].game_id = "h".into();
    for append in [gap, twice, elsewhere] {
        let refused = commit(store, Batch { append: Some(append), ..Batch::default() });
        assert!(matches!(refused, Err(StoreError::Malformed(_))), "{refused:?}");
    }
    assert_eq!(store.position("g").unwrap(), 0);
    assert_eq!(store.position("h").unwrap(), 0);
}

fn an_append_of_nothing_still_checks_the_position(store: &Store) {
    commit(store, events("g", 0, 0)).unwrap();
    let conflict = StoreError::Conflict { game_id: "g".into(), expected: 1, found: 0 };
    assert_eq!(commit(store, events("g", 1, 0)), Err(conflict));
    assert_eq!(store.games().unwrap(), []);
}

fn numbers_out_of_range_are_refused(store: &Store) {
    let mut late = append("g", 0, 1);
    late.envelopes[0].timestamp = u64::MAX;
    let late = Batch { append: Some(late), ..Batch::default() };
    let far = events("g", u64::MAX, 0);
    let table = with_table(table("t1", "CODE", u64::MAX));
    let cursor = with_cursor(cursor(0, "log", u64::MAX, 0));
    for batch in [late, far, table, cursor] {
        let refused = commit(store, batch);
        assert!(matches!(refused, Err(StoreError::Malformed(_))), "{refused:?}");
    }
}

fn a_whole_batch_is_written_together(store: &Store) {
    let batch = Batch {
        append: Some(append("g", 0, 2)),
        table: Some(table("t1", "CODE", 1)),
        answer: Some(answer("key")),
        cursor: Some(cursor(0, "log", 2, 9)),
    };
    commit(store, batch).unwrap();
    assert_eq!(store.position("g").unwrap(), 2);
    assert_eq!(store.table("t1").unwrap(), Some(table("t1", "CODE", 1)));
    assert_eq!(store.answer("t1", 1, "key").unwrap(), Some(answer("key").answer));
    assert_eq!(store.cursors("t1").unwrap(), [cursor(0, "log", 2, 9)]);
}

fn concurrent_tables_keep_every_log_dense(store: &Store) {
    runtime().block_on(async {
        let tables = (0..64).map(|n| {
            let store = store.clone();
            tokio::spawn(async move {
                for step in 0..20 {
                    store.commit(events(&format!("g{n}"), step * 2, 2)).await.unwrap();
                }
            })
        });
        for table in tables.collect::<Vec<_>>() {
            table.await.unwrap();
        }
    });
    for n in 0..64 {
        let game_id = format!("g{n}");
        let wanted: Vec<_> = (0..40).map(|n| event(&game_id, n)).collect();
        assert_eq!(store.read(&game_id, 0).unwrap(), wanted);
    }
}

fn one_of_many_wins_each_position(store: &Store) {
    runtime().block_on(async {
        for position in 0..10 {
            let rivals = (0..8).map(|_| {
                let store = store.clone();
                tokio::spawn(async move { store.commit(events("g", position, 1)).await })
            });
            let mut winners = 0;
            for rival in rivals.collect::<Vec<_>>() {
                match rival.await.unwrap() {
                    Ok(()) => winners += 1,
                    Err(StoreError::Conflict { found, .. }) => assert_eq!(found, position + 1),
                    Err(other) => panic!("{other}"),
                }
            }
            assert_eq!(winners, 1);
        }
    });
}

fn readers_see_whole_batches_while_others_write(store: &Store) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut before = 0;
            // At least once also after the last batch.
            loop {
                let last = done.load(Ordering::Acquire);
                let log = store.read("g", 0).unwrap();
                assert_eq!(log.len() % 3, 0, "a torn batch");
                assert!(log.len() >= before, "a log that shrank");
                before = log.len();
                if last {
                    return before;
                }
            }
        });
        for step in 0..100 {
            commit(store, events("g", step * 3, 3)).unwrap();
        }
        done.store(true, Ordering::Release);
        assert_eq!(reader.join().unwrap(), 300);
    });
}

fn tables_are_replaced_by_id_and_found_by_code(store: &Store) {
    commit(store, with_table(table("t1", "OLD", 1))).unwrap();
    let renamed = TableRecord { status: "playing".into(), updated_at: 5, ..table("t1", "NEW", 1) };
    commit(store, with_table(renamed.clone())).unwrap();
    assert_eq!(store.table("t1").unwrap(), Some(renamed.clone()));
    assert_eq!(store.table_by_code("NEW").unwrap(), Some(renamed));
    assert_eq!(store.table_by_code("OLD").unwrap(), None);
    commit(store, with_table(table("t2", "OLD", 2))).unwrap();
    assert_eq!(store.table_by_code("OLD").unwrap(), Some(table("t2", "OLD", 2)));
}

fn tables_are_listed_newest_first(store: &Store) {
    for (id, created_at) in [("t1", 10), ("t3", 30), ("t2", 20), ("t4", 20)] {
        commit(store, with_table(table(id, id, created_at))).unwrap();
    }
    let over = TableRecord { status: "over".into(), ..table("t3", "t3", 30) };
    commit(store, with_table(over)).unwrap();
    let ids = |status, limit| -> Vec<String> {
        store.tables(status, limit).unwrap().into_iter().map(|table| table.id).collect()
    };
    assert_eq!(ids(None, 10), ["t3", "t4", "t2", "t1"]);
    assert_eq!(ids(None, usize::MAX), ["t3", "t4", "t2", "t1"]);
    assert_eq!(ids(None, 2), ["t3", "t4"]);
    assert_eq!(ids(Some("waiting"), 2), ["t4", "t2"]);
    assert_eq!(ids(Some("over"), 2), ["t3"]);
    assert_eq!(ids(Some("unknown"), 2), Vec::<String>::new());
}

fn a_cursor_never_goes_backwards(store: &Store) {
    commit(store, with_cursor(cursor(0, "log", 5, 50))).unwrap();
    commit(store, with_cursor(cursor(0, "log", 3, 60))).unwrap();
    assert_eq!(store.cursors("t1").unwrap(), [cursor(0, "log", 5, 50)]);
    commit(store, with_cursor(cursor(0, "log", 5, 70))).unwrap();
    assert_eq!(store.cursors("t1").unwrap(), [cursor(0, "log", 5, 70)]);
    commit(store, with_cursor(cursor(0, "log", 8, 80))).unwrap();
    assert_eq!(store.cursors("t1").unwrap(), [cursor(0, "log", 8, 80)]);
}

fn cursors_are_listed_by_seat_and_dialect(store: &Store) {
    let listed = [cursor(0, "b", 1, 1), cursor(1, "a", 2, 2), cursor(1, "b", 3, 3)];
    for cursor in listed.iter().rev() {
        commit(store, with_cursor(cursor.clone())).unwrap();
    }
    assert_eq!(store.cursors("t1").unwrap(), listed);
    assert_eq!(store.cursors("t2").unwrap(), []);
}

fn games_are_summed_up(store: &Store) {
    assert_eq!(store.games().unwrap(), []);
    commit(store, events("b", 0, 1)).unwrap();
    commit(store, events("a", 0, 3)).unwrap();
    let mut late = append("c", 0, 1);
    late.envelopes[0].timestamp = 9_000;
    commit(store, Batch { append: Some(late), ..Batch::default() }).unwrap();
    let game = |game_id: &str, events, first_at, last_at, last: &str| GameSummary {
        game_id: game_id.into(),
        events,
        first_at,
        last_at,
        first_event_type: "Opened".into(),
        last_event_type: last.into(),
    };
    let wanted = [
        game("c", 1, 9_000, 9_000, "Opened"),
        game("b", 1, 1_000, 1_000, "Opened"),
        game("a", 3, 1_000, 1_002, "CardPlayed"),
    ];
    assert_eq!(store.games().unwrap(), wanted);
}

fn a_closed_store_refuses_everything(store: &Store) {
    store.close();
    store.close();
    assert_eq!(commit(&store.clone(), events("g", 0, 1)), Err(StoreError::Closed));
    assert_eq!(store.read("g", 0), Err(StoreError::Closed));
    assert_eq!(store.ping(), Err(StoreError::Closed));
}

fn closing_waits_for_what_was_accepted(store: &Store) {
    // The store is closed from the only thread of the runtime, with batches
    // queued and tasks waiting for room: it must neither hang nor lie.
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let commits = (0..4_000).map(|n| {
            let store = store.clone();
            tokio::spawn(async move { store.commit(events(&format!("g{n}"), 0, 1)).await })
        });
        let commits: Vec<_> = commits.collect();
        tokio::task::yield_now().await;
        store.close();
        for commit in commits {
            let answer = commit.await.unwrap();
            assert!(matches!(answer, Ok(()) | Err(StoreError::Closed)), "{answer:?}");
        }
    });
}

fn an_open_store_answers_a_ping(store: &Store) {
    assert_eq!(store.ping(), Ok(()));
}

#[test]
fn a_url_that_names_no_store_is_refused_with_a_hint() {
    for url in ["", "parlor.db", "sqlite:", "sqlite://", "memory", "memory:x", "postgres://db"] {
        let error = Store::open(url).unwrap_err();
        assert_eq!(error, StoreError::UnknownUrl(url.into()));
        assert!(error.to_string().contains("sqlite:PATH"));
    }
}
