// What a rules option may be, read from the house's own sentence about it.

export type OptionKind =
  | { kind: 'switch' }
  | { kind: 'choice'; choices: string[] }
  | { kind: 'number'; least: number; most: number; mayBeNull: boolean }
  | { kind: 'other' };

export function optionKind(allowed: string): OptionKind {
  if (allowed === 'true or false') return { kind: 'switch' };
  const range = /^(?:a multiple of \w+, |0 for [a-z ]+, or )?([\d]+) to ([\d]+)(, or null.*)?$/.exec(allowed);
  if (range?.[1] && range[2]) {
    const least = allowed.startsWith('0 for') ? 0 : Number(range[1]);
    return { kind: 'number', least, most: Number(range[2]), mayBeNull: Boolean(range[3]) };
  }
  const words = allowed.split(/, | or /);
  if (words.length > 1 && words.every((word) => /^[A-Za-z]\w*$/.test(word))) return { kind: 'choice', choices: words };
  return { kind: 'other' };
}
