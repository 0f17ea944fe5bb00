import { type Declaration, hasEffect, type Result } from './operation';

/** A likely mistake in a request that was accepted. */
export interface Warning {
  rule: string;
  pointer: string;
  message: string;
}

/** The largest number of warnings in an answer. */
export const MAX_WARNINGS = 50;

/** Warns about a write without entries. */
export function emptyLists(declaration: Declaration, input: Record<string, unknown>): Warning[] {
  if (!hasEffect(declaration)) return [];
  const { required = [], properties } = declaration.input;
  const isNeeded = (name: string) => {
    const others = properties[name]?.requiredUnless as readonly string[] | undefined;
    return others ? others.every((other) => input[other] === undefined) : required.includes(name);
  };
  return Object.entries(input)
    .filter(([name, value]) => Array.isArray(value) && value.length === 0 && isNeeded(name))
    .map(([name]) => ({ rule: 'empty-list', pointer: `/${name}`, message: `${name} is empty: nothing was done.` }));
}

/** At most 50 warnings, those about the request first. */
export function withWarnings(result: Result, warnings: readonly Warning[]): Result {
  if (warnings.length === 0) return result;
  const own = (result.meta?.warnings as Warning[] | undefined) ?? [];
  return { ...result, meta: { ...result.meta, warnings: [...warnings, ...own].slice(0, MAX_WARNINGS) } };
}
