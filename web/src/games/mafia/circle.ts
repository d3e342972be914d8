// Where the seats stand: evenly along an ellipse, so that a wide room and a
// tall phone both give everyone the same elbow room.

export interface Place {
  x: number;
  y: number;
}

export interface Circle {
  places: Place[];
  centre: Place;
  /** The ellipse the seats stand on. */
  rx: number;
  ry: number;
  /** How wide a seat's card and its plate are. */
  card: number;
  plate: number;
}

const STEPS = 360;
const PLATE_HEIGHT = 24;

/** `first` stands at the lower edge if `me` sits there, at the upper edge otherwise. */
export function circle(seats: number, width: number, height: number, me: number | null): Circle {
  const around = Math.PI * (width + height - 160) * 0.5;
  const room = around / Math.max(seats, 5);
  const card = Math.round(Math.min(66, Math.max(28, Math.min(room * 0.5, height * 0.11))));
  const plate = Math.round(Math.min(124, Math.max(52, room * 0.88)));
  const centre = { x: width / 2, y: height / 2 };
  const rx = Math.max(60, width / 2 - plate / 2 - 6);
  const ry = Math.max(60, height / 2 - (card * 1.4 + PLATE_HEIGHT) / 2 - 8);
  const start = me === null ? -Math.PI / 2 : Math.PI / 2;
  const arc = lengths(rx, ry, start);
  const whole = arc[STEPS] ?? 1;
  const places = Array.from({ length: seats }, (_, seat) => {
    const nth = (seat - (me ?? 0) + seats) % seats;
    const angle = start + (2 * Math.PI * reach(arc, (whole * nth) / seats)) / STEPS;
    return { x: centre.x + rx * Math.cos(angle), y: centre.y + ry * Math.sin(angle) };
  });
  return { places, centre, rx, ry, card, plate };
}

/** The length of the ellipse from `start` to each step around it. */
function lengths(rx: number, ry: number, start: number): number[] {
  const at = (step: number) => start + (2 * Math.PI * step) / STEPS;
  const arc = [0];
  for (let step = 1; step <= STEPS; step += 1) {
    const [from, to] = [at(step - 1), at(step)];
    const length = Math.hypot(rx * (Math.cos(to) - Math.cos(from)), ry * (Math.sin(to) - Math.sin(from)));
    arc.push((arc[step - 1] ?? 0) + length);
  }
  return arc;
}

/** The step, and what is left of it, at which the length is reached. */
function reach(arc: number[], length: number): number {
  const next = arc.findIndex((one) => one >= length);
  if (next <= 0) return 0;
  const [from = 0, to = 1] = [arc[next - 1], arc[next]];
  return next - 1 + (length - from) / (to - from || 1);
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
