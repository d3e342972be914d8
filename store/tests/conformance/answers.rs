//! Answers to keys, and how far listeners have read.

use parlor_store::{Answer, Batch, Store, StoreError};

use crate::common::{answer, append, cursor, events, table, with_cursor};

pub async fn a_key_is_answered_once(store: &Store) {
    let first =
        Batch { append: Some(append("g", 0, 1)), answer: Some(answer("key")), ..Batch::default() };
    store.commit(first).await.unwrap();
    let again = Answer { answer: "{}".into(), digest: Some([8; 32]), ..answer("key") };
    let second = Batch { append: Some(append("g", 1, 1)), answer: Some(again), ..Batch::default() };
    let answered = StoreError::Answered(Box::new(answer("key")));
    assert_eq!(store.commit(second).await, Err(answered), "the stored answer comes back");
    assert_eq!(store.position("g").await.unwrap(), 1);
    assert_eq!(store.answer("t1", 1, "key").await.unwrap(), Some(answer("key")));
    assert_eq!(store.answer("t1", 0, "key").await.unwrap(), None);
    assert_eq!(store.answer("t2", 1, "key").await.unwrap(), None);
    assert_eq!(store.answer("t1", 1, "other").await.unwrap(), None);
}

pub async fn an_answered_key_is_told_before_a_lost_race(store: &Store) {
    let whole = Batch {
        table: Some(table("t1", "CODE", 1)),
        answer: Some(answer("key")),
        ..events("g", 0, 2)
    };
    store.commit(whole.clone()).await.unwrap();
    // The same again: its position and its version are gone, too.
    let answered = StoreError::Answered(Box::new(answer("key")));
    assert_eq!(store.commit(whole.clone()).await, Err(answered));
    let other = Batch { answer: Some(answer("other")), ..whole };
    assert!(matches!(store.commit(other).await, Err(StoreError::Conflict { .. })));
    assert_eq!(store.answer("t1", 1, "other").await.unwrap(), None);
}

pub async fn an_answer_may_have_no_digest(store: &Store) {
    let old = Answer { digest: None, ..answer("key") };
    let batch = Batch { answer: Some(old.clone()), ..Batch::default() };
    store.commit(batch).await.unwrap();
    assert_eq!(store.answer("t1", 1, "key").await.unwrap(), Some(old));
}

pub async fn a_cursor_never_goes_backwards(store: &Store) {
    store.commit(with_cursor(cursor(0, "log", 5, 50))).await.unwrap();
    store.commit(with_cursor(cursor(0, "log", 3, 60))).await.unwrap();
    assert_eq!(store.cursors("t1").await.unwrap(), [cursor(0, "log", 5, 50)]);
    store.commit(with_cursor(cursor(0, "log", 5, 70))).await.unwrap();
    assert_eq!(store.cursors("t1").await.unwrap(), [cursor(0, "log", 5, 70)]);
    store.commit(with_cursor(cursor(0, "log", 8, 80))).await.unwrap();
    assert_eq!(store.cursors("t1").await.unwrap(), [cursor(0, "log", 8, 80)]);
}

pub async fn cursors_are_listed_by_seat_and_dialect(store: &Store) {
    let listed = [cursor(0, "b", 1, 1), cursor(1, "a", 2, 2), cursor(1, "b", 3, 3)];
    for cursor in listed.iter().rev() {
        store.commit(with_cursor(cursor.clone())).await.unwrap();
    }
    assert_eq!(store.cursors("t1").await.unwrap(), listed);
    assert_eq!(store.cursors("t2").await.unwrap(), []);
}
