import { useParams } from '@tanstack/react-router';

/** A part of the address: the `reference` of `/items/$reference`. */
export function useParam(name: string): string {
  const parts: Record<string, string | undefined> = useParams({ strict: false });
  return parts[name] ?? '';
}
