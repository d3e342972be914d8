import type { en } from './en';

export const ja: Record<keyof typeof en, string> = {
  players: '席順',
  knows: 'あなたから見た卓',
  knowsWatching: '皆から見た卓',
  happened: 'これまでの経過',
  moves: 'できること',
  asides: 'ゲームのほかに',
  points: '{count} 点',
  atTurn: '手番',
  wins: '{names} の勝ち',
  winTogether: '{names} の勝ち',
  nobodyWins: '勝者なし',
  clock: '残り秒数',
  markRound: '一回終了',
  markEnd: '終局',
};
