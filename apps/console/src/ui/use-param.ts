import { useParams } from '@tanstack/react-router';
import { fromPath } from './in-path';

/** A part of the address: the `reference` of `/items/$reference`. `inPath` writes it. */
export function useParam(name: string): string {
  const parts: Record<string, string | undefined> = useParams({ strict: false });
  return fromPath(parts[name] ?? '');
}
