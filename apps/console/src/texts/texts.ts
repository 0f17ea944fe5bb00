import { useSyncExternalStore } from 'react';
import { filled, type Values } from './filled';

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

/**
 * The texts of a screen, in all languages. Returns a hook that gives the text of a key in the chosen language:
 * `const t = useTexts(); t('title')`.
 */
export function texts<const K extends string>(all: Record<Language, Record<K, string>>) {
  return function useTexts() {
    const chosen = all[useLanguage()];
    return (key: NoInfer<K>, ...values: Values): string => filled(chosen[key], values);
  };
}

/** The chosen language as the reader's browser writes it, with its region: `en-GB`. */
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

export const numberOf = (value: number, options?: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(locale(), options).format(value);

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
