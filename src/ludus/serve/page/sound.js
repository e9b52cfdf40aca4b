/** A click when a piece is put down, if a person has switched it on. */
import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/** @param {boolean} [soft] */
export function click(soft = false) {
  if (!settings.value.sound) return;
  context ??= new AudioContext();
  const [tone, loudness] = [context.createOscillator(), context.createGain()];
  const now = context.currentTime;
  tone.frequency.setValueAtTime(soft ? 320 : 480, now);
  tone.frequency.exponentialRampToValueAtTime(120, now + 0.06);
  loudness.gain.setValueAtTime(0.18, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + 0.08);
  tone.connect(loudness).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.09);
}
