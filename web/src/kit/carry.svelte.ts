// A card that can be clicked can also be carried: a pointer that goes far
// enough takes it along, and lets it go over whatever lies beneath.

/** A click that trembles is still a click. */
const FAR = 10;

type LetGo = (under: Element[]) => void;

export class Carry {
  /** How far it has been carried; null while it lies. */
  shift: { x: number; y: number } | null = $state(null);
  private held: { id: number; x: number; y: number } | null = null;
  private wasCarried = false;

  /** `letGo` is told what lies under the pointer, the uppermost first; without it the card stays. */
  constructor(private readonly letGo: () => LetGo | undefined) {}

  get translate(): string | null {
    return this.shift && `${this.shift.x}px ${this.shift.y}px`;
  }

  /** To be spread on the card's button. */
  readonly hands = {
    onpointerdown: (event: PointerEvent) => {
      if (!this.letGo() || event.button !== 0) return;
      this.held = { id: event.pointerId, x: event.clientX, y: event.clientY };
      this.wasCarried = false;
    },
    onpointermove: (event: PointerEvent) => {
      if (!this.held || event.pointerId !== this.held.id) return;
      const [x, y] = [event.clientX - this.held.x, event.clientY - this.held.y];
      if (!this.shift && Math.hypot(x, y) < FAR) return;
      if (!this.shift) (event.currentTarget as HTMLElement).setPointerCapture(this.held.id);
      this.shift = { x, y };
      this.wasCarried = true;
    },
    onpointerup: (event: PointerEvent) => this.put(event),
    onpointercancel: () => this.put(null),
  };

  /** The click that ends a carrying means nothing more. */
  click(pick: (() => void) | undefined): void {
    if (!this.wasCarried) pick?.();
    this.wasCarried = false;
  }

  private put(event: PointerEvent | null): void {
    const isCarried = this.shift !== null;
    this.held = null;
    this.shift = null;
    if (isCarried && event) this.letGo()?.(document.elementsFromPoint(event.clientX, event.clientY));
  }
}
