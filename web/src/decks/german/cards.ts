// The German-suited cards of Binokel, in the words of its wire: acorn, leaf, heart, bell.

export type Suit = 'kreuz' | 'schippe' | 'herz' | 'bollen';
export type Rank = 'ass' | '10' | 'koenig' | 'ober' | 'buabe' | '7';

export const SUITS: readonly Suit[] = ['kreuz', 'schippe', 'herz', 'bollen'];
/** High to low: the ten outranks the king. */
export const RANKS: readonly Rank[] = ['ass', '10', 'koenig', 'ober', 'buabe', '7'];
