// A training aid: up cards of folded hands stay in sight. Off, as at a real table.

export const memory = $state({ shows: false });
