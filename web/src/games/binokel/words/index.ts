import type { Lang } from '../../../words/index.svelte';
import { de } from './de';
import { en } from './en';
import { ja } from './ja';
import { zh } from './zh';

export const words: Record<Lang, Record<string, string>> = { en, zh, ja, de };
