// What a hand may play to a trick, and the duty that leaves no other choice.

import { height, suitOf, type CardId, type Suit } from './cards';
import { partner, type Game, type Played } from './game';

/** Why only some cards may be played, as a key of the words. */
export type Duty = 'lead' | 'beat' | 'follow' | 'overtrump' | 'trump' | 'free';

/** Which card holds the trick. Of identical cards the first does. */
export function holder(trick: readonly Played[], trump: Suit | null): Played | null {
  return trick.reduce<Played | null>((best, played) => {
    if (!best) return played;
    const [suit, against] = [suitOf(played.card), suitOf(best.card)];
    const beats = suit === against ? height(played.card) > height(best.card) : suit === trump;
    return beats ? played : best;
  }, null);
}

export function legal(game: Game, seat: number, hand: readonly CardId[]): { duty: Duty; cards: CardId[] } {
  const { trick, trump, rules } = game;
  const led = trick.cards[0];
  if (!led) return { duty: 'lead', cards: [...hand] };
  const suit = suitOf(led.card);
  const best = holder(trick.cards, trump);
  const follows = hand.filter((card) => suitOf(card) === suit);
  // While the partner holds the trick, following suit is enough.
  const isExempt = rules?.partner_exemption === true && best !== null && best.seat === partner(game, seat);
  const trumps = isExempt ? [] : hand.filter((card) => suitOf(card) === trump);
  // The led suit's best is to be beaten even when the trick has been trumped.
  const above = (cards: CardId[], of: Suit | null) => {
    const highest = Math.max(-1, ...trick.cards.filter((played) => suitOf(played.card) === of).map((played) => height(played.card)));
    return cards.filter((card) => height(card) > highest);
  };
  const duties: [Duty, CardId[]][] = [
    ['beat', isExempt ? [] : above(follows, suit)],
    ['follow', follows],
    ['overtrump', above(trumps, trump)],
    ['trump', trumps],
    ['free', [...hand]],
  ];
  const [duty, cards] = duties.find(([, kept]) => kept.length > 0) ?? ['free', []];
  return { duty, cards };
}
