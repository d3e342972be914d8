// French-suited cards: how poker names them, and which of them stands for a Binokel card.

export type Suit = 's' | 'h' | 'd' | 'c';
export type Rank = 'A' | 'K' | 'Q' | 'J' | 'T' | '9' | '8' | '7' | '6' | '5' | '4' | '3' | '2';

export const SUITS: readonly Suit[] = ['s', 'h', 'd', 'c'];
export const RANKS: readonly Rank[] = ['A', 'K', 'Q', 'J', 'T', '9', '8', '7', '6', '5', '4', '3', '2'];

/** The rank and suit of a poker card such as `As` or `Td`. */
export function pokerCard(id: string): { rank: Rank; suit: Suit } {
  return { rank: id[0] as Rank, suit: id[1] as Suit };
}

const BINOKEL_SUITS: Record<string, Suit> = { kreuz: 'c', schippe: 's', herz: 'h', bollen: 'd' };
const BINOKEL_RANKS: Record<string, Rank> = { '7': '7', buabe: 'J', ober: 'Q', koenig: 'K', '10': 'T', ass: 'A' };

/** The French face of a Binokel card. */
export function binokelCard(suit: string, rank: string): { rank: Rank; suit: Suit } {
  return { rank: BINOKEL_RANKS[rank] ?? 'A', suit: BINOKEL_SUITS[suit] ?? 'c' };
}
