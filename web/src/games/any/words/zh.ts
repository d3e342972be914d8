import type { en } from './en';

export const zh: Record<keyof typeof en, string> = {
  players: '座位',
  knows: '你所知的牌桌',
  knowsWatching: '眾人所見的牌桌',
  happened: '經過',
  moves: '你可以做的',
  asides: '遊戲之外',
  points: '{count} 分',
  atTurn: '輪到',
  wins: '{names} 獲勝',
  winTogether: '{names} 獲勝',
  nobodyWins: '無人獲勝',
  clock: '剩餘秒數',
  markRound: '一輪結束',
  markEnd: '遊戲結束',
};
