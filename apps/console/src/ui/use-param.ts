import { useParams } from '@tanstack/react-router';

/** A part of the address: the `reference` of `/items/$reference`. */
export const useParam = (name: string): string => (useParams({ strict: false }) as Record<string, string>)[name] ?? '';
