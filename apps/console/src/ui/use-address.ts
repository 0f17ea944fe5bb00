import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * The search parameters of the address as texts, and a function that changes them; `undefined` removes a parameter. A
 * change adds an entry to the browser's history, unless it replaces the current one.
 */
export function useAddress() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    get: (name: string): string => {
      const value = search[name];
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    },
    list: (name: string): string[] => {
      const value = search[name];
      const all = Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value];
      return all.filter((each) => typeof each === 'string' || typeof each === 'number').map(String);
    },
    set: (changes: Record<string, string | string[] | undefined>, replace = false) =>
      void navigate({
        to: '.',
        replace,
        search: (previous: Record<string, unknown>) =>
          Object.fromEntries(
            Object.entries({ ...previous, ...changes }).filter(
              ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
            ),
          ),
      }),
  };
}
