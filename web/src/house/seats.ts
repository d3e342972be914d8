// The seats this browser holds, by table. Tokens never leave this storage but
// in a header.

export interface Seat {
  table: string;
  code: string;
  game: string;
  seat: number;
  token: string;
  /** When it was taken, in ms since 1970. */
  at: number;
}

const KEPT = 'parlor.seats';
/** A house that runs for years must not fill the browser. */
const MOST = 50;

export function seats(): Seat[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(kept) ? (kept as Seat[]) : [];
  } catch {
    return [];
  }
}

const keep = (all: Seat[]) => localStorage.setItem(KEPT, JSON.stringify(all.slice(0, MOST)));

export function keepSeat(seat: Seat): void {
  keep([seat, ...seats().filter((one) => one.table !== seat.table)]);
}

export function dropSeat(table: string): void {
  keep(seats().filter((one) => one.table !== table));
}

/** The seat at a table, named by its id or its code. */
export function seatAt(table: string): Seat | null {
  return seats().find((one) => one.table === table || one.code === table.toUpperCase()) ?? null;
}
