import { en } from './en';

export type PlayerLabelKey = keyof typeof en;
export type Say = (key: PlayerLabelKey, ...values: (string | number)[]) => string;

export const isGerman = (language: string): boolean => language.toLowerCase().split('-')[0] === 'de';

/** Returns texts in a language, with the overrides of the page. `de-CH` is German; an unknown language is English. */
export async function sayIn(language: string, overrides: Readonly<Record<string, unknown>>): Promise<Say> {
  return sayFrom(isGerman(language) ? (await import('./de')).de : en, overrides);
}

export function sayFrom(bundle: typeof en, overrides: Readonly<Record<string, unknown>> = {}): Say {
  return (key, ...values) => {
    const own = overrides[key];
    const text = typeof own === 'string' ? own : bundle[key];
    return text.replace(/\{(\d)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));
  };
}
