import { de } from './de';
import { en } from './en';

export type PlayerLabelKey = keyof typeof en;
export type Say = (key: PlayerLabelKey, ...values: (string | number)[]) => string;

const BUNDLES: Readonly<Record<string, typeof en>> = { en, de };

/** Returns texts in a language, with the overrides of the page. `de-CH` is German; an unknown language is English. */
export function sayIn(language: string, overrides: Readonly<Record<string, unknown>>): Say {
  const bundle = BUNDLES[language.toLowerCase().split('-')[0]!] ?? en;
  return (key, ...values) => {
    const own = overrides[key];
    const text = typeof own === 'string' ? own : bundle[key];
    return text.replace(/\{(\d)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));
  };
}
