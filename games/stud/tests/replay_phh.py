"""Replays hand histories with pokerkit, which knows nothing of Parlor.

Reads PHH texts from standard input, each after a line with its length in
bytes, and answers each with a JSON object on a line: `differs`, what pokerkit
has against it, or null; and `written`, the same deal as pokerkit writes it.
Nothing is repaired: every action must be legal where it stands, and the
stacks at the end must be those the history names.
"""

import json
import sys
import warnings

from pokerkit import HandHistory
from pokerkit.notation import parse_action


def replay(history, state):
    for action in history.actions:
        # At a real table a card is burnt before each street; Parlor deals
        # from the top, and PHH names no burnt cards.
        while state.can_burn_card():
            state.burn_card("??")
        try:
            parse_action(state, action)
        except (ValueError, AssertionError, UserWarning) as refusal:
            return f"{action}: {refusal or 'this cannot be'}"
    if state.status:
        return "the deal is not over"
    if list(state.stacks) != history.finishing_stacks:
        return f"the stacks are {list(state.stacks)}"
    return None


def main():
    warnings.simplefilter("error")
    source = sys.stdin.buffer
    while length := source.readline():
        history = HandHistory.loads(source.read(int(length)).decode())
        game, state = history.create_game(), history.create_state()
        differs = replay(history, state)
        written = HandHistory.from_game_state(
            game, state, finishing_stacks=list(state.stacks)
        )
        answer = {"differs": differs, "written": written.dumps()}
        print(json.dumps(answer), flush=True)


main()
