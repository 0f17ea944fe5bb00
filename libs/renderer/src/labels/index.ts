import { de } from './de';
import { en } from './en';

export type LabelKey = keyof typeof en;
export type Labels = Readonly<Record<LabelKey, string>>;

const BUNDLES: Readonly<Record<string, Labels>> = { en, de };

/** The texts of a language, with the overrides of a page. `de-CH` is German; an unknown language is English. */
export function labelsFor(language: string, overrides: Readonly<Record<string, unknown>> = {}): Labels {
  const bundle = BUNDLES[language.toLowerCase().split('-')[0]!] ?? en;
  const known = Object.entries(overrides).filter(([key, text]) => key in bundle && typeof text === 'string');
  return { ...bundle, ...Object.fromEntries(known) };
}

/** A text with its arguments. */
export function fill(text: string, values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));
}
