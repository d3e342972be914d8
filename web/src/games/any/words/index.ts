import { de } from './de';
import { en } from './en';
import { ja } from './ja';
import { zh } from './zh';

export const words = { en, zh, ja, de };
