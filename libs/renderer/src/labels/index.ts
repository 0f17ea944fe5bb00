import type { characters } from './characters-en';
import { en } from './en';
import type { symbols } from './symbols-en';
import type { tools } from './tools-en';

export type LabelKey = keyof typeof en;
export type CharacterKey = keyof typeof characters;
export type SymbolKey = keyof typeof symbols;
export type ToolKey = keyof typeof tools;
/** In English, the names of characters, symbols and tools are with what shows them, because few pages need them. */
export type Labels = Readonly<Record<LabelKey, string> & Partial<Record<CharacterKey | SymbolKey | ToolKey, string>>>;

const bundles: Record<string, Labels> = { en };
const loaders: Readonly<Record<string, () => Promise<Labels>>> = { de: async () => (await import('./de')).de };

const codeOf = (language: string): string => language.toLowerCase().split('-')[0]!;

/** Loads the texts of a language, for {@link labelsFor}. `de-CH` is German; an unknown language is English. */
export async function loadLabels(language: string): Promise<void> {
  const code = codeOf(language);
  if (!bundles[code] && Object.hasOwn(loaders, code)) bundles[code] = await loaders[code]!();
}

/** The texts of a loaded language, with the overrides of a page. */
export function labelsFor(language: string, overrides: Readonly<Record<string, unknown>> = {}): Labels {
  const texts = Object.entries(overrides).filter(([, text]) => typeof text === 'string');
  return { ...(bundles[codeOf(language)] ?? en), ...Object.fromEntries(texts) };
}

/** A text with its arguments. */
export function fill(text: string, values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));
}
