// Two short wooden sounds, made here; off unless a player turns them on.

import { settings } from '../house/settings.svelte';

let audio: AudioContext | null = null;

function knock(pitch: number, length: number): void {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  const at = audio.currentTime;
  const tone = new OscillatorNode(audio, { type: 'triangle', frequency: pitch });
  const volume = new GainNode(audio, { gain: 0.12 });
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}

/** A card falls on the table. */
export const cardSound = () => knock(320, 0.09);

/** The table waits for you. */
export const turnSound = () => knock(620, 0.22);
