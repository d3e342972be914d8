// Many moves that differ in a number or two are not many buttons: they are one
// button and a field for each thing they differ in. Only what is allowed can be
// chosen, for the fields know nothing but the moves themselves.

import type { Choice } from '../../wire/words';

type Scalar = string | number | boolean | null;

export interface Field {
  name: string;
  /** Everything it may be in some move, in the game's order. */
  values: Scalar[];
}

export interface Form {
  type: string;
  fields: Field[];
  choices: Choice[];
}

export interface Moves {
  buttons: Choice[];
  forms: Form[];
}

/** So many moves of a kind are still buttons. */
const FEW = 8;
/** More fields than these are not read at a glance. */
const MOST_FIELDS = 3;

const isScalar = (value: unknown): value is Scalar => value === null || ['string', 'number', 'boolean'].includes(typeof value);

type Command = Record<string, unknown>;
const command = (choice: Choice) => (choice.command ?? {}) as Command;

/** Sorts moves into buttons and forms; each move is in exactly one of them. */
export function moves(options: Choice[]): Moves {
  const kinds = new Map<string, Choice[]>();
  for (const choice of options) {
    const type = String(command(choice).type ?? '');
    kinds.set(type, [...(kinds.get(type) ?? []), choice]);
  }
  const sorted: Moves = { buttons: [], forms: [] };
  for (const [type, choices] of kinds) {
    const fields = choices.length > FEW ? differing(choices) : null;
    if (fields) sorted.forms.push({ type, fields, choices });
    else sorted.buttons.push(...choices);
  }
  return sorted;
}

/** What these moves differ in; null where that cannot be entered in a few fields. */
function differing(choices: Choice[]): Field[] | null {
  const commands = choices.map(command);
  const names = Object.keys(commands[0] ?? {});
  const hasNames = (one: Command) => Object.keys(one).length === names.length && names.every((name) => name in one);
  if (!commands.every(hasNames)) return null;
  const fields: Field[] = [];
  for (const name of names) {
    const values = commands.map((one) => one[name]);
    if (new Set(values.map((value) => JSON.stringify(value))).size === 1) continue;
    if (!values.every(isScalar)) return null;
    fields.push({ name, values: [...new Set(values)] });
  }
  const isTold = new Set(commands.map((one) => JSON.stringify(fields.map(({ name }) => one[name])))).size === choices.length;
  return fields.length > 0 && fields.length <= MOST_FIELDS && isTold ? fields : null;
}

/** What is in each field, in their order. */
export type Picks = Scalar[];

const matches = (form: Form, choice: Choice, picks: Picks, upto: number) => form.fields.slice(0, upto).every(({ name }, nth) => command(choice)[name] === picks[nth]);

/** What a field may be, given those before it. */
export function allowed(form: Form, picks: Picks, nth: number): Scalar[] {
  const field = form.fields[nth];
  if (!field) return [];
  const open = new Set(form.choices.filter((choice) => matches(form, choice, picks, nth)).map((choice) => command(choice)[field.name]));
  return field.values.filter((value) => open.has(value));
}

/** The fields as they were, as far as that is still allowed. */
export function settle(form: Form, picks: Picks): Picks {
  const settled: Picks = [];
  form.fields.forEach((_, nth) => {
    const open = allowed(form, settled, nth);
    const kept = picks[nth];
    settled.push(kept !== undefined && open.includes(kept) ? kept : (open[0] ?? null));
  });
  return settled;
}

/** One field changed: what comes after it follows. */
export function pick(form: Form, picks: Picks, nth: number, value: Scalar): Picks {
  return settle(form, picks.map((old, at) => (at === nth ? value : old)));
}

/** The move that the fields say. */
export function chosen(form: Form, picks: Picks): Choice | undefined {
  return form.choices.find((choice) => matches(form, choice, picks, form.fields.length));
}

/** A name of programs as words: `bidAmount`, `bid_amount`. */
export function spoken(name: string): string {
  const words = name.replace(/_/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
