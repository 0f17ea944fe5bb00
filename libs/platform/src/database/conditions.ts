import { type Parameter } from './engines';

/** A part of a statement, with its parameters in order. */
export interface SqlPart {
  sql: string;
  parameters: Parameter[];
}

/** Conditions that must all hold. */
export class Conditions {
  private readonly sql: string[] = [];
  readonly parameters: Parameter[] = [];

  get text(): string {
    return this.sql.length > 0 ? this.sql.join(' AND ') : '1 = 1';
  }

  add(sql: string, ...parameters: Parameter[]): void {
    this.sql.push(sql);
    this.parameters.push(...parameters);
  }

  addAll(parts: readonly SqlPart[]): void {
    for (const { sql, parameters } of parts) this.add(sql, ...parameters);
  }

  /** `column` has one of the values. An empty list matches no rows. */
  in(column: string, values: readonly Parameter[]): void {
    const unique = [...new Set(values)];
    if (unique.length === 0) this.add('1 = 0');
    else this.add(`${column} IN (${questionMarks(unique.length)})`, ...unique);
  }
}

/** Placeholders for `count` parameters: `?, ?, ?`. */
export function questionMarks(count: number): string {
  return count > 0 ? `?${', ?'.repeat(count - 1)}` : '';
}
