"""The same work in pokerkit: six seats at random, and seven-card hands."""

import random
import time

from pokerkit import (
    Automation,
    Deck,
    EightOrBetterLowHand,
    FixedLimitSevenCardStud,
    RegularLowHand,
    StandardHighHand,
)

SECONDS = 3.0
AUTOMATIC = tuple(a for a in Automation)


def deal():
    state = FixedLimitSevenCardStud.create_state(
        AUTOMATIC, True, 5, 10, 20, 40, (500,) * 6, 6
    )
    while state.status:
        choices = [
            act
            for act, can in (
                (state.post_bring_in, state.can_post_bring_in),
                (state.complete_bet_or_raise_to, state.can_complete_bet_or_raise_to),
                (state.check_or_call, state.can_check_or_call),
                (state.fold, state.can_fold),
            )
            if can()
        ]
        random.choice(choices)()


def per_second(work):
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        work()
        done += 1
    return done / (time.perf_counter() - began)


def ranked(kind):
    deck = list(Deck.STANDARD)
    hands = [tuple(random.sample(deck, 7)) for _ in range(256)]

    def work():
        hand = random.choice(hands)
        try:
            kind.from_game(hand, ())
        except ValueError:
            pass

    return work


random.seed(7)
print(f"six-seat random deals/s\t{per_second(deal):.0f}")
for name, kind in (
    ("high", StandardHighHand),
    ("ace-to-five", RegularLowHand),
    ("eight-or-better", EightOrBetterLowHand),
):
    print(f"{name} evaluations/s\t{per_second(ranked(kind)):.0f}")
