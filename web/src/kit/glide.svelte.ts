// Cards glide from where they were to where they are. An element with
// `data-glide="id"` is followed by its id; one that is new comes from the
// element `data-glide-place` that its `data-glide-from` names.

import { isMoving, settings } from '../house/settings.svelte';

const LASTS = 240;
/** Nothing comes onto the table much larger than it will lie there. */
const LARGEST = 1.8;

/** To be called in a component's script; `when` reads whatever moves cards. */
export function glide(root: () => HTMLElement | undefined, when: () => unknown): void {
  let before = new Map<string, DOMRect>();

  $effect.pre(() => {
    when();
    before = places(root());
  });

  $effect(() => {
    when();
    const table = root();
    if (!table || !settings.motion || !isMoving() || before.size === 0) return;
    for (const element of table.querySelectorAll<HTMLElement>('[data-glide]')) {
      const { glide: id = '', glideFrom: from } = element.dataset;
      const was = before.get(id);
      const place = was || !from ? undefined : before.get(`place:${from}`);
      if (was) move(element, was);
      else if (place) move(element, inside(place, element.getBoundingClientRect()));
    }
  });
}

function places(table: HTMLElement | undefined): Map<string, DOMRect> {
  const found = new Map<string, DOMRect>();
  for (const element of table?.querySelectorAll<HTMLElement>('[data-glide], [data-glide-place]') ?? []) {
    const { glide: id, glidePlace: place } = element.dataset;
    const rect = element.getBoundingClientRect();
    if (id) found.set(id, rect);
    if (place) found.set(`place:${place}`, rect);
  }
  return found;
}

/** A card in the middle of where it comes from, as tall as that: a hand is wider than its cards. */
function inside(place: DOMRect, card: DOMRect): DOMRect {
  const scale = Math.min(place.height / card.height, LARGEST);
  const [width, height] = [card.width * scale, card.height * scale];
  return new DOMRect(place.left + (place.width - width) / 2, place.top + (place.height - height) / 2, width, height);
}

function move(element: HTMLElement, was: DOMRect): void {
  const is = element.getBoundingClientRect();
  if (is.width === 0 || was.width === 0) return;
  const [x, y] = [was.left - is.left, was.top - is.top];
  if (Math.abs(x) < 2 && Math.abs(y) < 2) return;
  const from = `translate(${x}px, ${y}px) scale(${was.width / is.width})`;
  element.animate(
    [
      { transform: from, transformOrigin: '0 0', zIndex: 5 },
      { transform: 'none', transformOrigin: '0 0', zIndex: 5 },
    ],
    { duration: LASTS, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
  );
}
