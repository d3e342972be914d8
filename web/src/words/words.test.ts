import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { de } from './de';
import { en } from './en';
import { ja } from './ja';
import { zh } from './zh';

type Dictionary = Record<string, Record<string, string>>;

const modules = import.meta.glob<{ words: Dictionary }>('../games/*/words{.ts,/index.ts}', { eager: true });
const games = Object.entries(modules).map(([path, { words }]) => [path.split('/')[2] ?? path, words] as const);
const dictionaries: (readonly [string, Dictionary])[] = [['house', { en, zh, ja, de }], ...games];

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

test('every game brings its words', () => {
  const folders = readdirSync(new URL('../games', import.meta.url), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(games.map(([name]) => name).sort()).toEqual(folders.map((folder) => folder.name).sort());
});

for (const [name, words] of dictionaries) {
  for (const lang of ['zh', 'ja', 'de']) {
    test(`${name}: ${lang} says all that English says`, () => {
      expect(Object.keys(words[lang] ?? {}).sort()).toEqual(Object.keys(words.en ?? {}).sort());
    });

    test(`${name}: ${lang} leaves the same blanks as English`, () => {
      for (const [key, text] of Object.entries(words.en ?? {})) {
        // A language may leave a blank out, but never ask for one nobody fills.
        const known = holes(text);
        expect(holes(words[lang]?.[key] ?? '').filter((hole) => !known.includes(hole)), key).toEqual([]);
        expect((words[lang]?.[key] ?? '').length, key).toBeGreaterThan(0);
      }
    });
  }
}
