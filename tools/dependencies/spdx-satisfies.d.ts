declare module 'spdx-satisfies' {
  /** Whether whoever keeps to one of the `allowed` licences keeps to the expression, `(MIT OR GPL-2.0)`. Throws for what is no expression. */
  function satisfies(expression: string, allowed: readonly string[]): boolean;
  export = satisfies;
}
