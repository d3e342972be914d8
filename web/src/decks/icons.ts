/** Every icon of the client, as named in `icons.svg`. */
export const ICONS = [
  'sun', 'moon', 'gear', 'sound', 'mute', 'eye', 'eye-off', 'link', 'play', 'pause', 'step', 'step-back',
  'crown', 'chips', 'dealer', 'clock', 'close', 'check', 'logo',
] as const;

export type IconName = (typeof ICONS)[number];
