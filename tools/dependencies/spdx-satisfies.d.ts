declare module 'spdx-satisfies' {
  /**
   * Whether one of the `allowed` licences satisfies the expression, `(MIT OR GPL-2.0)`. Throws for an invalid
   * expression.
   */
  function satisfies(expression: string, allowed: readonly string[]): boolean;
  export = satisfies;
}
