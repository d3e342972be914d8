import type { Lang } from '../../words/index.svelte';

const en = {
  month1: 'pine', month2: 'plum', month3: 'cherry', month4: 'wisteria', month5: 'iris', month6: 'peony',
  month7: 'bush clover', month8: 'pampas', month9: 'chrysanthemum', month10: 'maple', month11: 'willow', month12: 'paulownia',
};

export const words: Record<Lang, Record<string, string>> = { en, zh: en, ja: en, de: en };
