// One message of the protocol as a sentence.

import type { DeckFlip, Event, GameFinishedInGameSnapshotRestore as Finished, HandPlay, ScoredYaku } from '../../wire/koikoi.protocol';
import type { Words } from '../../words/index.svelte';
import { nameOf, objectsOf } from './cards';
import { seatOf, type Ended, type Match } from './fold';
import { arithmetic } from './score';

const yakus = (held: ScoredYaku[], t: Words) => held.map((one) => `${t(one.type)} ${one.base_points}`).join(', ');

function play(who: string, { played, captured }: HandPlay, t: Words): string {
  const values = { who, card: nameOf(played, t), taken: objectsOf(captured, t) };
  return t(captured.length > 0 ? 'toldTakes' : 'toldLays', values);
}

function flip({ flipped, captured }: DeckFlip, t: Words): string {
  const values = { card: nameOf(flipped, t), taken: objectsOf(captured, t) };
  return t(captured.length > 0 ? 'toldFlipTakes' : 'toldFlipStays', values);
}

/** How a round ended, in one line. */
export function toldEnd(how: Ended, match: Match, t: Words): string {
  const name = (player: string) => match.names[seatOf(player)] ?? player;
  switch (how.event) {
    case 'RoundScored': {
      const { base_total: base, final_points: points, multipliers } = how;
      const sum = arithmetic({ base, points, seven: multipliers.seven_plus, koi: multipliers.opponent_koi });
      return t('toldScored', { who: name(how.winner), yakus: yakus(how.yakus, t), sum });
    }
    case 'RoundDrawn':
      return t('toldDrawn');
    case 'RoundEndedInstantly': {
      const why = how.reason === 'FIELD_KUTTSUKI' ? 'toldKuttsuki' : how.detail === 'FOUR_PAIRS' ? 'toldFourPairs' : 'toldTeshi';
      const gain = how.score_changes.find((one) => one.change > 0);
      const who = how.winner ? name(how.winner) : '';
      return gain && who ? `${t(why)} ${t('toldGains', { who, points: gain.change })}` : `${t(why)} ${t('toldNobody')}`;
    }
  }
}

/** How the match ended, in one line. */
export function toldFinish(finished: Finished, match: Match, t: Words): string {
  if (finished.reason === 'CALLED_OFF') return t('toldCalledOff', { why: finished.note ?? '' });
  const { winner } = finished;
  return winner ? t('toldWon', { who: match.names[seatOf(winner)] ?? winner }) : t('toldTied');
}

export function told(_before: Match, message: Event, after: Match, t: Words): string | null {
  const name = (player: string) => after.names[seatOf(player)] ?? player;
  switch (message.event) {
    case 'RoundDealt':
      return t('toldDealt', { round: message.round, who: name(message.first_player) });
    case 'TurnCompleted':
      return `${play(name(message.player), message.hand_play, t)} ${flip(message.deck_flip, t)}`;
    case 'SelectionRequired': {
      const { source, options } = message.selection;
      const choice = t('toldMayTake', { card: nameOf(source, t), options: objectsOf(options, t) });
      return `${play(name(message.player), message.completed.hand_play, t)} ${choice}`;
    }
    case 'TurnProgressAfterSelection': {
      const { source, captured } = message.selected_capture;
      return t('toldChose', { who: name(message.player), card: nameOf(source, t), taken: objectsOf(captured, t) });
    }
    case 'DecisionRequired': {
      const who = name(message.player);
      const { hand_play, deck_flip } = message.completed;
      const made = t('toldMade', { who, yakus: yakus(message.yaku_update.new, t) });
      return [hand_play && play(who, hand_play, t), deck_flip && flip(deck_flip, t), made].filter(Boolean).join(' ');
    }
    case 'DecisionMade':
      return t(message.decision === 'KOI_KOI' ? 'toldKoiKoi' : 'toldStops', { who: name(message.player) });
    case 'RoundScored':
    case 'RoundDrawn':
    case 'RoundEndedInstantly':
      return toldEnd(message, after, t);
    case 'GameFinished':
      return toldFinish(message, after, t);
    default:
      return null;
  }
}
