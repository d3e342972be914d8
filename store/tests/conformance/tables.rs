//! Tables: their records, versions, codes and due times.

use parlor_store::{Batch, Store, StoreError, TableRecord};

use crate::common::{answer, append, cursor, due, events, kept, next, table, with_table};

pub async fn a_taken_code_takes_the_whole_batch_down(store: &Store) {
    store.commit(with_table(table("t1", "CODE", 1))).await.unwrap();
    let batch = Batch {
        append: Some(append("g", 0, 2)),
        table: Some(table("t2", "CODE", 2)),
        answer: Some(answer("key")),
        cursor: Some(cursor(0, "log", 1, 1)),
        due: Some(due("t2", Some(1))),
        ..kept("block", "b1", Some("{}"))
    };
    assert_eq!(store.commit(batch).await, Err(StoreError::CodeTaken("CODE".into())));
    assert_eq!(store.position("g").await.unwrap(), 0);
    assert_eq!(store.table("t2").await.unwrap(), None);
    assert_eq!(store.answer("t1", 1, "key").await.unwrap(), None);
    assert_eq!(store.cursors("t1").await.unwrap(), []);
    assert_eq!(store.due(None, 10).await.unwrap(), []);
    assert_eq!(store.house_records("block", None, 10).await.unwrap(), []);
}

pub async fn a_stale_record_overwrites_nothing(store: &Store) {
    let first = table("t1", "CODE", 1);
    store.commit(with_table(first.clone())).await.unwrap();
    let token = TableRecord { data: r#"{"token":"x"}"#.into(), ..next(&first) };
    store.commit(with_table(token.clone())).await.unwrap();
    // Whoever still holds the first record knows of no token.
    for (version, expected) in [(1, 0), (2, 1), (4, 3), (9, 8)] {
        let stale = TableRecord { version, status: "playing".into(), ..first.clone() };
        let batch = Batch {
            table: Some(stale),
            answer: Some(answer("key")),
            cursor: Some(cursor(0, "log", 1, 1)),
            due: Some(due("t1", Some(1))),
            ..events("t1", 0, 2)
        };
        let refusal = StoreError::Stale { table_id: "t1".into(), expected, found: 2 };
        assert_eq!(store.commit(batch).await, Err(refusal.clone()));
        assert!(refusal.is_lost_race());
    }
    assert_eq!(store.table("t1").await.unwrap(), Some(token));
    assert_eq!(store.position("t1").await.unwrap(), 0);
    assert_eq!(store.answer("t1", 1, "key").await.unwrap(), None);
    assert_eq!(store.cursors("t1").await.unwrap(), []);
    assert_eq!(store.due(None, 10).await.unwrap(), []);
}

pub async fn a_new_table_has_version_1(store: &Store) {
    let zero = TableRecord { version: 0, ..table("t1", "CODE", 1) };
    let refused = store.commit(with_table(zero)).await;
    assert!(matches!(refused, Err(StoreError::Malformed(_))), "{refused:?}");
    let second = next(&table("t1", "CODE", 1));
    let stale = StoreError::Stale { table_id: "t1".into(), expected: 1, found: 0 };
    assert_eq!(store.commit(with_table(second)).await, Err(stale));
    assert_eq!(store.table("t1").await.unwrap(), None);
}

pub async fn one_of_many_writes_each_version(store: &Store) {
    store.commit(with_table(table("t1", "CODE", 1))).await.unwrap();
    for version in 2..12 {
        let rivals = (0..8).map(|n| {
            let store = store.clone();
            let data = format!("{n}");
            let record = TableRecord { version, data: data.clone(), ..table("t1", "CODE", 1) };
            tokio::spawn(async move { (data, store.commit(with_table(record)).await) })
        });
        let mut winners = Vec::new();
        for rival in rivals.collect::<Vec<_>>() {
            match rival.await.unwrap() {
                (data, Ok(())) => winners.push(data),
                (_, Err(StoreError::Stale { found, .. })) => assert_eq!(found, version),
                (_, Err(other)) => panic!("{other}"),
            }
        }
        let stored = store.table("t1").await.unwrap().unwrap();
        assert_eq!(winners, [stored.data]);
    }
}

pub async fn tables_are_replaced_by_id_and_found_by_code(store: &Store) {
    let old = table("t1", "OLD", 1);
    store.commit(with_table(old.clone())).await.unwrap();
    let renamed = TableRecord { code: "NEW".into(), updated_at: 5, ..next(&old) };
    store.commit(with_table(renamed.clone())).await.unwrap();
    assert_eq!(store.table("t1").await.unwrap(), Some(renamed.clone()));
    assert_eq!(store.table_by_code("NEW").await.unwrap(), Some(renamed));
    assert_eq!(store.table_by_code("OLD").await.unwrap(), None);
    store.commit(with_table(table("t2", "OLD", 2))).await.unwrap();
    assert_eq!(store.table_by_code("OLD").await.unwrap(), Some(table("t2", "OLD", 2)));
}

pub async fn tables_are_listed_newest_first_in_pages(store: &Store) {
    for (id, created_at) in [("t1", 10), ("t3", 30), ("t2", 20), ("t4", 20)] {
        store.commit(with_table(table(id, id, created_at))).await.unwrap();
    }
    let over = TableRecord { status: "over".into(), ..next(&table("t3", "t3", 30)) };
    store.commit(with_table(over)).await.unwrap();
    let ids = async |status, before, limit| -> Vec<String> {
        let tables = store.tables(status, before, limit).await.unwrap();
        tables.into_iter().map(|table| table.id).collect()
    };
    assert_eq!(ids(None, None, 10).await, ["t3", "t4", "t2", "t1"]);
    assert_eq!(ids(None, None, usize::MAX).await, ["t3", "t4", "t2", "t1"]);
    assert_eq!(ids(None, None, 2).await, ["t3", "t4"]);
    assert_eq!(ids(None, Some((20, "t4")), 2).await, ["t2", "t1"]);
    assert_eq!(ids(None, Some((20, "t2")), 2).await, ["t1"]);
    assert_eq!(ids(None, Some((10, "t1")), 2).await, Vec::<String>::new());
    assert_eq!(ids(Some("waiting"), None, 2).await, ["t4", "t2"]);
    assert_eq!(ids(Some("waiting"), Some((20, "t2")), 2).await, ["t1"]);
    assert_eq!(ids(Some("over"), None, 2).await, ["t3"]);
    assert_eq!(ids(Some("unknown"), None, 2).await, Vec::<String>::new());
}

pub async fn due_tables_are_listed_in_order_in_pages(store: &Store) {
    for (id, at) in [("t3", 30), ("t1", 20), ("t2", 20), ("t0", 90)] {
        let batch = Batch { due: Some(due(id, Some(at))), ..Batch::default() };
        store.commit(batch).await.unwrap();
    }
    let put_off = Batch { due: Some(due("t0", Some(40))), ..Batch::default() };
    store.commit(put_off).await.unwrap();
    let all = [due("t1", Some(20)), due("t2", Some(20)), due("t3", Some(30)), due("t0", Some(40))];
    assert_eq!(store.due(None, 10).await.unwrap(), all);
    assert_eq!(store.due(None, 1).await.unwrap(), all[..1]);
    assert_eq!(store.due(Some((20, "t1")), 2).await.unwrap(), all[1..3]);
    assert_eq!(store.due(Some((30, "t3")), 2).await.unwrap(), all[3..]);
    for id in ["t2", "t2", "never"] {
        let over = Batch { due: Some(due(id, None)), ..Batch::default() };
        store.commit(over).await.unwrap();
    }
    let left = [all[0].clone(), all[2].clone(), all[3].clone()];
    assert_eq!(store.due(None, 10).await.unwrap(), left);
}

pub async fn tables_that_are_not_listed_do_not_count(store: &Store) {
    for n in 1..=9 {
        let id = format!("t{n}");
        let status = if n < 8 { "waiting" } else { "playing" }.to_owned();
        let table = TableRecord { listed: n % 3 == 0, status, ..table(&id, &id, n) };
        store.commit(with_table(table)).await.unwrap();
    }
    let ids = |tables: Vec<TableRecord>| tables.into_iter().map(|it| it.id).collect::<Vec<_>>();
    let listed = |status, before, limit| async move {
        ids(store.listed_tables(status, before, limit).await.unwrap())
    };
    assert_eq!(listed(None, None, 2).await, ["t9", "t6"]);
    assert_eq!(listed(None, Some((6, "t6")), 2).await, ["t3"]);
    assert_eq!(listed(Some("waiting"), None, 2).await, ["t6", "t3"]);
    assert_eq!(listed(Some("playing"), None, 2).await, ["t9"]);
    assert_eq!(store.tables(Some("waiting"), None, 20).await.unwrap().len(), 7);
    // It is hidden, and shown again.
    let shown = store.table("t9").await.unwrap().unwrap();
    assert!(shown.listed);
    let hidden = TableRecord { listed: false, ..next(&shown) };
    store.commit(with_table(hidden.clone())).await.unwrap();
    assert_eq!(listed(Some("playing"), None, 2).await, [""; 0]);
    assert_eq!(store.table("t9").await.unwrap(), Some(hidden.clone()));
    store.commit(with_table(TableRecord { listed: true, ..next(&hidden) })).await.unwrap();
    assert_eq!(listed(Some("playing"), None, 2).await, ["t9"]);
}

pub async fn what_the_house_keeps_is_replaced_and_let_go_by_id(store: &Store) {
    for (kind, id) in [("block", "b2"), ("report", "r1"), ("block", "b1"), ("block", "b3")] {
        store.commit(kept(kind, id, Some("{}"))).await.unwrap();
    }
    store.commit(kept("block", "b2", Some(r#"{"n":2}"#))).await.unwrap();
    let page = |after, limit| async move {
        let records = store.house_records("block", after, limit).await.unwrap();
        records.into_iter().map(|it| (it.id, it.data.unwrap())).collect::<Vec<_>>()
    };
    let pair = |id: &str, data: &str| (id.to_owned(), data.to_owned());
    assert_eq!(page(None, 2).await, [pair("b1", "{}"), pair("b2", r#"{"n":2}"#)]);
    assert_eq!(page(Some("b2"), 2).await, [pair("b3", "{}")]);
    assert_eq!(store.house_records("none", None, 9).await.unwrap(), []);
    for _ in 0..2 {
        store.commit(kept("block", "b2", None)).await.unwrap();
    }
    assert_eq!(page(None, 9).await, [pair("b1", "{}"), pair("b3", "{}")]);
    assert_eq!(store.house_records("report", None, 9).await.unwrap().len(), 1);
    let nul = store.commit(kept("block", "b\0", None)).await;
    assert!(matches!(nul, Err(StoreError::Malformed(_))), "{nul:?}");
}
