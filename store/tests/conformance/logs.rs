//! Logs: what is appended, in order, once, and read back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parlor_store::{Batch, GameSummary, PAGE, Store, StoreError};

use crate::common::{
    answer, append, cursor, due, event, events, json, kept, table, with_cursor, with_table,
};

pub async fn what_was_appended_is_read_back_to_the_byte(store: &Store) {
    // Spaces, unusual numbers and unusual text must all come back unchanged.
    let texts = [r#"{ "a" : 1.0 }"#, "1.0", "-0", "1e3", "null", r#""9""#, r#"{"ß":"\u0000"}"#];
    let mut append = append("g", 0, texts.len() as u64);
    for (envelope, text) in append.envelopes.iter_mut().zip(texts) {
        envelope.payload = json(text);
        envelope.cause = envelope.cause.is_some().then(|| json(text));
    }
    let written = append.envelopes.clone();
    store.commit(Batch { append: Some(append), ..Batch::default() }).await.unwrap();
    assert_eq!(store.log("g", 0).await.unwrap(), written);
}

pub async fn reading_starts_where_it_is_told(store: &Store) {
    store.commit(events("g", 0, 3)).await.unwrap();
    store.commit(events("g", 3, 2)).await.unwrap();
    assert_eq!(store.position("g").await.unwrap(), 5);
    assert_eq!(store.read("g", 3, 10).await.unwrap(), [event("g", 3), event("g", 4)]);
    assert_eq!(store.read("g", 5, 10).await.unwrap(), []);
    assert_eq!(store.read("g", u64::MAX, 10).await.unwrap(), []);
    assert_eq!(store.read("unknown", 0, 10).await.unwrap(), []);
    assert_eq!(store.position("unknown").await.unwrap(), 0);
}

pub async fn a_log_is_read_in_pages(store: &Store) {
    let length = PAGE as u64 + 7;
    store.commit(events("g", 0, length)).await.unwrap();
    assert_eq!(store.read("g", 0, 0).await.unwrap(), []);
    assert_eq!(store.read("g", 2, 2).await.unwrap(), [event("g", 2), event("g", 3)]);
    assert_eq!(store.read("g", length - 1, 9).await.unwrap(), [event("g", length - 1)]);
    assert_eq!(store.read("g", 0, usize::MAX).await.unwrap().len() as u64, length);
    let wanted: Vec<_> = (0..length).map(|n| event("g", n)).collect();
    assert_eq!(store.log("g", 0).await.unwrap(), wanted, "all pages together");
    assert_eq!(store.log("g", 5).await.unwrap(), wanted[5..]);
}

pub async fn a_wrong_expectation_is_a_conflict_and_writes_nothing(store: &Store) {
    store.commit(events("g", 0, 2)).await.unwrap();
    for expected in [0, 1, 3] {
        let batch = Batch {
            append: Some(append("g", expected, 1)),
            table: Some(table("t1", "CODE", 1)),
            answer: Some(answer("key")),
            cursor: Some(cursor(0, "log", 1, 1)),
            due: Some(due("t1", Some(1))),
            ..kept("block", "b1", Some("{}"))
        };
        let conflict = StoreError::Conflict { game_id: "g".into(), expected, found: 2 };
        assert_eq!(store.commit(batch).await, Err(conflict));
    }
    assert_eq!(store.position("g").await.unwrap(), 2);
    assert_eq!(store.table("t1").await.unwrap(), None);
    assert_eq!(store.answer("t1", 1, "key").await.unwrap(), None);
    assert_eq!(store.cursors("t1").await.unwrap(), []);
    assert_eq!(store.due(None, 10).await.unwrap(), []);
}

pub async fn a_refused_batch_does_not_harm_its_neighbours(store: &Store) {
    // They come all at once, so that good and bad ones share transactions.
    let commits = (0..200u64).map(|n| {
        let store = store.clone();
        let expected = if n % 3 == 0 { 7 } else { 0 };
        tokio::spawn(async move { store.commit(events(&format!("g{n}"), expected, 2)).await })
    });
    for (n, commit) in commits.collect::<Vec<_>>().into_iter().enumerate() {
        assert_eq!(commit.await.unwrap().is_err(), n % 3 == 0);
    }
    for n in 0..200 {
        let wanted = if n % 3 == 0 { 0 } else { 2 };
        assert_eq!(store.position(&format!("g{n}")).await.unwrap(), wanted);
    }
}

pub async fn events_out_of_place_are_refused(store: &Store) {
    let mut gap = append("g", 0, 2);
    gap.envelopes[1].sequence = 2;
    let mut twice = append("g", 0, 2);
    twice.envelopes[1].sequence = 0;
    let mut elsewhere = append("g", 0, 2);
    elsewhere.envelopes[1].game_id = "h".into();
    for append in [gap, twice, elsewhere] {
        let refused = store.commit(Batch { append: Some(append), ..Batch::default() }).await;
        assert!(matches!(refused, Err(StoreError::Malformed(_))), "{refused:?}");
    }
    assert_eq!(store.position("g").await.unwrap(), 0);
    assert_eq!(store.position("h").await.unwrap(), 0);
}

pub async fn an_append_of_nothing_still_checks_the_position(store: &Store) {
    store.commit(events("g", 0, 0)).await.unwrap();
    let conflict = StoreError::Conflict { game_id: "g".into(), expected: 1, found: 0 };
    assert_eq!(store.commit(events("g", 1, 0)).await, Err(conflict));
    assert_eq!(store.games(None, 10).await.unwrap(), []);
}

pub async fn numbers_out_of_range_are_refused(store: &Store) {
    let mut late = append("g", 0, 1);
    late.envelopes[0].timestamp = u64::MAX;
    let late = Batch { append: Some(late), ..Batch::default() };
    let far = events("g", u64::MAX, 0);
    let table = with_table(table("t1", "CODE", u64::MAX));
    let cursor = with_cursor(cursor(0, "log", u64::MAX, 0));
    let due = Batch { due: Some(due("t1", Some(u64::MAX))), ..Batch::default() };
    for batch in [late, far, table, cursor, due] {
        let refused = store.commit(batch).await;
        assert!(matches!(refused, Err(StoreError::Malformed(_))), "{refused:?}");
    }
}

pub async fn a_nul_is_refused(store: &Store) {
    let nul = "a\0b".to_owned();
    let batches = [
        events(&nul, 0, 1),
        with_table(table("t1", &nul, 1)),
        with_table(table(&nul, "CODE", 1)),
        Batch { answer: Some(answer(&nul)), ..Batch::default() },
        with_cursor(cursor(0, &nul, 1, 1)),
        Batch { due: Some(due(&nul, None)), ..Batch::default() },
    ];
    for batch in batches {
        let refused = store.commit(batch).await;
        assert!(matches!(refused, Err(StoreError::Malformed(_))), "{refused:?}");
    }
}

pub async fn a_whole_batch_is_written_together(store: &Store) {
    let batch = Batch {
        append: Some(append("g", 0, 2)),
        table: Some(table("t1", "CODE", 1)),
        answer: Some(answer("key")),
        cursor: Some(cursor(0, "log", 2, 9)),
        due: Some(due("t1", Some(5))),
        ..kept("block", "b1", Some("{}"))
    };
    store.commit(batch).await.unwrap();
    assert_eq!(store.house_records("block", None, 10).await.unwrap().len(), 1);
    assert_eq!(store.position("g").await.unwrap(), 2);
    assert_eq!(store.table("t1").await.unwrap(), Some(table("t1", "CODE", 1)));
    assert_eq!(store.answer("t1", 1, "key").await.unwrap(), Some(answer("key")));
    assert_eq!(store.due(None, 10).await.unwrap(), [due("t1", Some(5))]);
    assert_eq!(store.cursors("t1").await.unwrap(), [cursor(0, "log", 2, 9)]);
}

pub async fn concurrent_tables_keep_every_log_dense(store: &Store) {
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
    for n in 0..64 {
        let game_id = format!("g{n}");
        let wanted: Vec<_> = (0..40).map(|n| event(&game_id, n)).collect();
        assert_eq!(store.log(&game_id, 0).await.unwrap(), wanted);
    }
}

pub async fn one_of_many_wins_each_position(store: &Store) {
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
}

pub async fn readers_see_whole_batches_while_others_write(store: &Store) {
    let done = Arc::new(AtomicBool::new(false));
    let (reads, last) = (store.clone(), Arc::clone(&done));
    let reader = tokio::spawn(async move {
        let mut before = 0;
        // At least once also after the last batch.
        loop {
            let is_last = last.load(Ordering::Acquire);
            let log = reads.log("g", 0).await.unwrap();
            assert_eq!(log.len() % 3, 0, "a torn batch");
            assert!(log.len() >= before, "a log that shrank");
            before = log.len();
            if is_last {
                return before;
            }
        }
    });
    for step in 0..100 {
        store.commit(events("g", step * 3, 3)).await.unwrap();
    }
    done.store(true, Ordering::Release);
    assert_eq!(reader.await.unwrap(), 300);
}

pub async fn games_are_summed_up_in_pages(store: &Store) {
    assert_eq!(store.games(None, 10).await.unwrap(), []);
    store.commit(events("b", 0, 1)).await.unwrap();
    store.commit(events("a", 0, 3)).await.unwrap();
    let mut late = append("c", 0, 1);
    late.envelopes[0].timestamp = 9_000;
    store.commit(Batch { append: Some(late), ..Batch::default() }).await.unwrap();
    let game = |game_id: &str, events, first_at, last_at, last: &str| GameSummary {
        game_id: game_id.into(),
        events,
        first_at,
        last_at,
        first_event_type: "Opened".into(),
        last_event_type: last.into(),
    };
    let wanted = [
        game("a", 3, 1_000, 1_002, "CardPlayed"),
        game("b", 1, 1_000, 1_000, "Opened"),
        game("c", 1, 9_000, 9_000, "Opened"),
    ];
    assert_eq!(store.games(None, 10).await.unwrap(), wanted);
    assert_eq!(store.games(None, 2).await.unwrap(), wanted[..2]);
    assert_eq!(store.games(Some("a"), 1).await.unwrap(), wanted[1..2]);
    assert_eq!(store.games(Some("b"), 10).await.unwrap(), wanted[2..]);
    assert_eq!(store.games(Some("c"), 10).await.unwrap(), []);
}
