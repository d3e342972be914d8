import type { en } from './en';

export const de: Record<keyof typeof en, string> = {
  players: 'Wer wo sitzt',
  knows: 'Der Tisch, wie du ihn kennst',
  knowsWatching: 'Der Tisch, wie man ihn sieht',
  happened: 'Was geschehen ist',
  moves: 'Deine Züge',
  asides: 'Neben dem Spiel',
  points: '{count} Punkte',
  atTurn: 'am Zug',
  wins: '{names} gewinnt',
  winTogether: '{names} gewinnen',
  nobodyWins: 'Niemand gewinnt',
  clock: 'Sekunden übrig',
  markRound: 'Eine Runde ist vorbei',
  markEnd: 'Das Spiel ist vorbei',
};
