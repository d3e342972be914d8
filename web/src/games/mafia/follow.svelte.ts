// A pane that follows its end, unless its reader has scrolled up.

import type { Attachment } from 'svelte/attachments';

const NEAR = 48;

export const follow =
  (when: () => unknown): Attachment<HTMLElement> =>
  (pane) => {
    let isAtEnd = true;
    const look = () => (isAtEnd = pane.scrollHeight - pane.scrollTop - pane.clientHeight < NEAR);
    pane.addEventListener('scroll', look, { passive: true });
    $effect(() => {
      when();
      if (isAtEnd) pane.scrollTop = pane.scrollHeight;
    });
    return () => pane.removeEventListener('scroll', look);
  };
