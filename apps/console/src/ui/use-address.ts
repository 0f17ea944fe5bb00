import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * What the address says after the `?`, as texts, and a function that changes it: `undefined` takes a parameter away. A new
 * address is a step back in the browser, unless it replaces the present one.
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
