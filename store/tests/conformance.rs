//! What every engine must do: one suite, run for each of them.

#[path = "conformance/answers.rs"]
mod answers;
mod common;
#[path = "conformance/logs.rs"]
mod logs;
#[path = "conformance/news.rs"]
mod news;
#[path = "conformance/tables.rs"]
mod tables;

use common::Folder;
use parlor_store::{Store, StoreError};

/// Runs each law for each engine. Several threads, so that batches really
/// come at the same time.
macro_rules! laws {
    ($($part:ident: $($law:ident),* ;)*) => {
        mod sqlite {
            $($(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $law() {
                let folder = super::Folder::new();
                let store = super::Store::open(&folder.url()).await.unwrap();
                super::$part::$law(&store).await;
            })*)*
        }
        mod memory {
            $($(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $law() {
                let store = super::Store::open("memory:").await.unwrap();
                super::$part::$law(&store).await;
            })*)*
        }
    };
}

laws!(
    logs:
        what_was_appended_is_read_back_to_the_byte,
        reading_starts_where_it_is_told,
        a_log_is_read_in_pages,
        a_wrong_expectation_is_a_conflict_and_writes_nothing,
        a_refused_batch_does_not_harm_its_neighbours,
        events_out_of_place_are_refused,
        an_append_of_nothing_still_checks_the_position,
        numbers_out_of_range_are_refused,
        a_nul_is_refused,
        a_whole_batch_is_written_together,
        concurrent_tables_keep_every_log_dense,
        one_of_many_wins_each_position,
        readers_see_whole_batches_while_others_write,
        games_are_summed_up_in_pages;
    tables:
        a_taken_code_takes_the_whole_batch_down,
        a_stale_record_overwrites_nothing,
        a_new_table_has_version_1,
        one_of_many_writes_each_version,
        tables_are_replaced_by_id_and_found_by_code,
        tables_are_listed_newest_first_in_pages,
        due_tables_are_listed_in_order_in_pages,
        tables_that_are_not_listed_do_not_count,
        what_the_house_keeps_is_replaced_and_let_go_by_id;
    answers:
        a_key_is_answered_once,
        an_answered_key_is_told_before_a_lost_race,
        an_answer_may_have_no_digest,
        a_cursor_never_goes_backwards,
        cursors_are_listed_by_seat_and_dialect;
    news:
        heads_tell_how_far_all_have_come,
        news_tell_what_was_written_and_nothing_else,
        whoever_is_too_slow_for_the_news_learns_so,
        a_closed_store_refuses_everything,
        closing_waits_for_what_was_accepted,
        an_open_store_answers_a_ping;
);

#[tokio::test]
async fn a_url_that_names_no_store_is_refused_with_a_hint() {
    for url in ["", "parlor.db", "sqlite:", "sqlite://", "memory", "memory:x", "postgres://db"] {
        let error = Store::open(url).await.unwrap_err();
        assert_eq!(error, StoreError::UnknownUrl(url.into()));
        assert!(error.to_string().contains("sqlite:PATH"));
    }
}
