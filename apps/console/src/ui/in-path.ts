/** Browsers resolve these parts of an address, also when they are encoded, so they get a quotation mark in front. */
const RESOLVED = /^(?:\.{1,2}$|')/;

/** A reference as part of an address. `useParam` reads it again. */
export const inPath = (reference: string): string =>
  encodeURIComponent(RESOLVED.test(reference) ? `'${reference}` : reference);

/** The reference that {@link inPath} wrote, without its encoding. */
export const fromPath = (part: string): string => (part.startsWith("'") ? part.slice(1) : part);
