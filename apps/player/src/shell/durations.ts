import type { Say } from '../labels';

/** Formats 754 seconds as 12:34. */
export function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** A duration for screen readers: in whole minutes from two minutes on, otherwise in seconds. */
export function spoken(seconds: number, say: Say): string {
  if (seconds < 60) return say('seconds', seconds);
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? say('minute') : say('minutes', minutes);
}
