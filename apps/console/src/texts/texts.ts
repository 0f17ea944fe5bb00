import { useSyncExternalStore } from 'react';
import { filled, type Values } from './filled';
import { words } from './words';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'itembank-language';
const listeners = new Set<() => void>();

function initial(): Language {
  const stored = localStorage.getItem(KEY);
  if (stored === 'en' || stored === 'de') return stored;
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
}

let language: Language = initial();
document.documentElement.lang = language;

export function setLanguage(wanted: Language): void {
  language = wanted;
  localStorage.setItem(KEY, wanted);
  document.documentElement.lang = wanted;
  for (const listener of listeners) listener();
}

export const useLanguage = (): Language =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => language,
  );

type Word = keyof (typeof words)['en'];

/**
 * The texts of a screen, in all languages. Returns a hook that gives the text of a key in the chosen language:
 * `const t = useTexts(); t('title')`. Words that several screens show are in `words.ts`.
 */
export function texts<const K extends string>(all: Record<Language, Record<K, string>>) {
  return function useTexts() {
    const chosen = useLanguage();
    const own: Partial<Record<string, string>> = all[chosen];
    return (key: NoInfer<K> | Word, ...values: Values): string =>
      filled(own[key] ?? words[chosen][key as Word], values);
  };
}

/** The chosen language with the region that the reader's browser prefers for it: `en-GB`. */
export const locale = (): string =>
  navigator.languages.find((tag) => tag.toLowerCase().split('-', 1)[0] === language) ?? language;

/** A date in the reader's time zone. @param value ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC as operations give it. */
export function dateOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return '–';
  const iso =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) ? `${value.replace(' ', 'T')}Z` : value;
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return String(value);
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

/** A number in the language of the page. It has no minus when it is rounded to zero. */
export const numberOf = (value: number, options?: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(locale(), { signDisplay: 'negative', ...options }).format(value);

const KILO = 1000;

/** The size of a file, such as `1.2 MB`. */
export function sizeOf(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const step = bytes < KILO ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return numberOf(bytes / KILO ** step, {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  });
}
