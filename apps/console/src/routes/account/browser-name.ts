const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** The name of a browser from its user agent, such as "Firefox, Linux"; undefined for an unknown one. */
export function browserName(userAgent: string): string | undefined {
  const found = [BROWSERS, SYSTEMS].flatMap((all) => all.find(([pattern]) => pattern.test(userAgent))?.[1] ?? []);
  return found.length > 0 ? found.join(', ') : undefined;
}
