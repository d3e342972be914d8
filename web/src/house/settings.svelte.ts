// What a player has set for all tables, kept in this browser.

export interface Settings {
  /** The name to sit down with. */
  name: string;
  lang: 'en' | 'zh' | 'ja' | 'de' | null;
  theme: 'system' | 'light' | 'dark';
  /** Whether cards glide; a system that asks for less motion is heeded anyway. */
  motion: boolean;
  sound: boolean;
  /** Month and class in a corner of hanafuda. */
  cornerMarks: boolean;
  fourColours: boolean;
  /** The faces of Binokel's cards. */
  binokelDeck: 'german' | 'french';
}

const KEPT = 'parlor.settings';
const DEFAULTS: Settings = {
  name: '',
  lang: null,
  theme: 'system',
  motion: true,
  sound: false,
  cornerMarks: true,
  fourColours: false,
  binokelDeck: 'german',
};

function kept(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Settings>;
  } catch {
    return {};
  }
}

export const settings: Settings = $state({ ...DEFAULTS, ...kept() });

/** Keeps every change, and tells the page of the theme; called once, by the app. */
export function keepSettings(): void {
  $effect(() => localStorage.setItem(KEPT, JSON.stringify(settings)));
  $effect(() => {
    document.documentElement.dataset.theme = settings.theme;
    document.documentElement.dataset.motion = settings.motion ? 'on' : 'off';
  });
}

export function isMoving(): boolean {
  return settings.motion && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
