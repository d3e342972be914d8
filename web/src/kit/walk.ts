/** Moves the focus along the elements that can be chosen, round and round. */
export function walk(root: HTMLElement | undefined, choosable: string, step: 1 | -1): void {
  const all = [...(root?.querySelectorAll<HTMLElement>(choosable) ?? [])];
  const at = all.indexOf(document.activeElement as HTMLElement);
  // From outside, the first step forward leads to the first and the first back to the last.
  const next = at < 0 && step < 0 ? all.length - 1 : (at + step) % all.length;
  all.at(next)?.focus();
}
