// Where the seats stand: evenly along a circle that gives way to its room, so
// that a wide screen and a tall phone both leave elbow room and a free middle.

export interface Place {
  x: number;
  y: number;
}

export interface Circle {
  places: Place[];
  centre: Place;
  /** The line the seats stand on. */
  rim: string;
  /** The room in the middle. */
  middle: { width: number; height: number };
  /** How wide a seat's card and its plate are. */
  card: number;
  plate: number;
}

const STEPS = 240;
const PLATE_HEIGHT = 24;
/** Below this width the name of the phase stands above the circle. */
const NARROW = 820;
const HEADLINE = 32;
/** From here on seats stand shoulder to shoulder. */
export const CROWD = 12;
/** A plate narrower than this has no room for a number beside the name. */
export const SLIM = 78;

const clamp = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value));

/** The viewer's own seat is at the lower edge; spectators have the first at the upper. */
export function circle(seats: number, width: number, height: number, me: number | null): Circle {
  const head = width < NARROW ? HEADLINE : 0;
  const free = height - head;
  // A narrow room is used up to its corners.
  const isBoxy = Math.min(width, free) < 560;
  const room = ((isBoxy ? 1.8 : Math.PI / 2) * (width + free - 160)) / Math.max(seats, 5);
  const card = Math.round(clamp(26, Math.min(room * 0.46, free * 0.11), 66));
  const plate = Math.round(clamp(50, room * (seats > CROWD ? 0.97 : 0.9), Math.min(124, width * 0.27)));
  const tall = card * 1.4 + PLATE_HEIGHT;
  const centre = { x: width / 2, y: head + free / 2 };
  const rx = Math.max(60, width / 2 - plate / 2 - 4);
  const ry = Math.max(60, free / 2 - tall / 2 - 6);
  const power = 2 / (isBoxy ? 3.4 : 2.3);
  const start = me === null ? -Math.PI / 2 : Math.PI / 2;
  const bent = (value: number) => Math.sign(value) * Math.abs(value) ** power;
  const line = Array.from({ length: STEPS + 1 }, (_, step) => {
    const angle = start + (2 * Math.PI * step) / STEPS;
    return { x: centre.x + rx * bent(Math.cos(angle)), y: centre.y + ry * bent(Math.sin(angle)) };
  });
  const places = evenly(line, seats);
  return {
    places: Array.from({ length: seats }, (_, seat) => places[(seat - (me ?? 0) + seats) % seats] ?? centre),
    centre,
    rim: `M${line.map((place) => `${round(place.x)} ${round(place.y)}`).join('L')}Z`,
    middle: { width: Math.max(120, 2 * rx - plate - 16), height: Math.max(80, 2 * ry - tall - 20) },
    card,
    plate,
  };
}

/** Places at equal distances along a line, from its beginning. */
function evenly(line: Place[], count: number): Place[] {
  const run = [0];
  line.reduce((from, to) => {
    run.push((run.at(-1) ?? 0) + Math.hypot(to.x - from.x, to.y - from.y));
    return to;
  });
  const whole = run.at(-1) ?? 0;
  return Array.from({ length: count }, (_, nth) => {
    const far = (whole * nth) / count;
    const next = Math.max(1, run.findIndex((length) => length >= far));
    const [from, to] = [line[next - 1]!, line[next]!];
    const part = (far - run[next - 1]!) / (run[next]! - run[next - 1]! || 1);
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  });
}

/** A thread from one place to another, bent towards the middle, ending short of both. */
export function thread(from: Place, to: Place, centre: Place, gap: number): string {
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const bend = { x: middle.x + (centre.x - middle.x) * 0.45, y: middle.y + (centre.y - middle.y) * 0.45 };
  const start = towards(from, bend, gap);
  const end = towards(to, bend, gap);
  return `M${round(start.x)} ${round(start.y)}Q${round(bend.x)} ${round(bend.y)} ${round(end.x)} ${round(end.y)}`;
}

export function towards(from: Place, to: Place, distance: number): Place {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const part = Math.min(distance, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

const round = (value: number) => Math.round(value * 10) / 10;
