//! News, heads, the ping and the end.

use parlor_store::{Batch, Head, News, Store, StoreError};

use crate::common::{cursor, events, next, table, with_cursor, with_table};

pub async fn heads_tell_how_far_all_have_come(store: &Store) {
    let both = Batch { table: Some(table("a", "A", 1)), ..events("a", 0, 3) };
    store.commit(both).await.unwrap();
    store.commit(with_table(next(&table("a", "A", 1)))).await.unwrap();
    store.commit(events("b", 0, 1)).await.unwrap();
    let ids = ["b", "none", "a"].map(str::to_owned);
    let head = |id: &str, length, version| Head { game_id: id.into(), length, version };
    let wanted = [head("b", 1, 0), head("none", 0, 0), head("a", 3, 2)];
    assert_eq!(store.heads(&ids).await.unwrap(), wanted);
    assert_eq!(store.heads(&[]).await.unwrap(), []);
}

pub async fn news_tell_what_was_written_and_nothing_else(store: &Store) {
    store.commit(events("g", 0, 1)).await.unwrap();
    let (mut news, mut others) = (store.news(), store.news());
    let both = Batch { table: Some(table("t1", "CODE", 1)), ..events("g", 1, 2) };
    store.commit(both).await.unwrap();
    let refused = Batch { table: Some(table("t1", "CODE", 1)), ..events("g", 3, 1) };
    assert!(store.commit(refused).await.is_err());
    store.commit(with_cursor(cursor(0, "log", 1, 1))).await.unwrap();
    store.ping().await.unwrap();
    store.commit(events("h", 0, 1)).await.unwrap();
    store.close().await;
    let wanted = [
        News::Grown { game_id: "g".into(), length: 3 },
        News::Changed { table_id: "t1".into(), version: 1 },
        News::Grown { game_id: "h".into(), length: 1 },
    ];
    for news in [&mut news, &mut others] {
        for wanted in &wanted {
            assert_eq!(news.next().await.as_ref(), Some(wanted));
        }
        assert_eq!(news.next().await, None, "a closed store has no news");
    }
    assert_eq!(store.news().next().await, None);
}

pub async fn whoever_is_too_slow_for_the_news_learns_so(store: &Store) {
    let mut news = store.news();
    for n in 0..5_000u64 {
        let store = store.clone();
        drop(tokio::spawn(async move { store.commit(events(&format!("g{n}"), 0, 1)).await }));
    }
    store.ping().await.unwrap();
    while store.games(None, usize::MAX).await.unwrap().len() < 5_000 {
        tokio::task::yield_now().await;
    }
    assert_eq!(news.next().await, Some(News::Missed));
    assert!(matches!(news.next().await, Some(News::Grown { length: 1, .. })));
}

pub async fn a_closed_store_refuses_everything(store: &Store) {
    store.close().await;
    store.close().await;
    assert_eq!(store.commit(events("g", 0, 1)).await, Err(StoreError::Closed));
    assert_eq!(store.log("g", 0).await, Err(StoreError::Closed));
    assert_eq!(store.ping().await, Err(StoreError::Closed));
}

pub async fn closing_waits_for_what_was_accepted(store: &Store) {
    // The store is closed with batches queued and tasks waiting for room: it
    // must neither hang nor lie.
    let commits = (0..4_000).map(|n| {
        let store = store.clone();
        tokio::spawn(async move { store.commit(events(&format!("g{n}"), 0, 1)).await })
    });
    let commits: Vec<_> = commits.collect();
    tokio::task::yield_now().await;
    store.close().await;
    for commit in commits {
        let answer = commit.await.unwrap();
        assert!(matches!(answer, Ok(()) | Err(StoreError::Closed)), "{answer:?}");
    }
}

pub async fn an_open_store_answers_a_ping(store: &Store) {
    assert_eq!(store.ping().await, Ok(()));
}
