// A deck's drawings live in one sheet of SVG symbols. The sheet travels with the
// component that draws the deck, so it loads with its game; it is laid into the
// document once, and every card is then a single <use>.

const laid = new Set<string>();

/** Puts the symbols of a deck into the document, once. */
export function lay(deck: string, sheet: string): void {
  if (laid.has(deck)) return;
  laid.add(deck);
  const parsed = new DOMParser().parseFromString(sheet, 'image/svg+xml').documentElement;
  const svg = document.importNode(parsed, true) as unknown as SVGSVGElement;
  // Not `display: none`: clip paths inside it would stop working. Set from script,
  // because the page's policy forbids style attributes in markup.
  svg.style.position = 'absolute';
  svg.dataset.deck = deck;
  document.body.prepend(svg);
}
