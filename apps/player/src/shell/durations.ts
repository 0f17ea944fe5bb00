import type { Say } from '../labels';

/** Formats 754 seconds as 12:34. */
export function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** A duration in words: `2 minutes 30 seconds`. */
export function spoken(seconds: number, say: Say): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const parts = [
    minutes === 0 ? '' : minutes === 1 ? say('minute') : say('minutes', minutes),
    rest === 0 && minutes > 0 ? '' : say('seconds', rest),
  ];
  return parts.filter((part) => part !== '').join(' ');
}
