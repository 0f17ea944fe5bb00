/** Kinds of files that learners may upload, by the names that Moodle has for them. */
const FLAGS: Readonly<Record<string, string>> = {
  '.pdf': 'allow_pdf',
  'application/pdf': 'allow_pdf',
  '.jpg': 'allow_jpg',
  '.jpeg': 'allow_jpg',
  'image/jpeg': 'allow_jpg',
  '.png': 'allow_png',
  'image/png': 'allow_png',
  '.gif': 'allow_gif',
  'image/gif': 'allow_gif',
  '.doc': 'allow_ms_word',
  '.docx': 'allow_ms_word',
  '.xls': 'allow_ms_excel',
  '.xlsx': 'allow_ms_excel',
  '.ppt': 'allow_ms_powerpoint',
  '.pptx': 'allow_ms_powerpoint',
  '.zip': 'allow_zip',
  'application/zip': 'allow_zip',
  '.rtf': 'allow_rtf',
  '.txt': 'allow_txt',
  'text/plain': 'allow_txt',
};
const USUAL = ['allow_pdf', 'allow_jpg', 'allow_png'];
export const UPLOAD_FLAGS = [...new Set(Object.values(FLAGS))];

/** The kinds of a `filetypeslist`, and the names in it that have no counterpart. An empty list means files of all kinds. */
export function uploadsOf(list: string): { flags: Record<string, true>; unknown: string[] } {
  const names = list
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((name) => name.toLowerCase().replace(/^\*(?=\.)/, ''));
  if (names.length === 0) return { flags: allowing(UPLOAD_FLAGS), unknown: [] };
  const flagOf = (name: string): string | undefined => FLAGS[name] ?? FLAGS[`.${name}`];
  const flags = names.flatMap((name) => flagOf(name) ?? []);
  return {
    flags: allowing(flags.length > 0 ? flags : USUAL),
    unknown: names.filter((name) => flagOf(name) === undefined),
  };
}

const allowing = (flags: readonly string[]): Record<string, true> =>
  Object.fromEntries(flags.map((flag) => [flag, true as const]));

/** The `filetypeslist` of a question; empty when it names no kind. */
export const fileTypesOf = (isAllowed: (flag: string) => boolean): string =>
  Object.keys(FLAGS)
    .filter((name) => name.startsWith('.') && isAllowed(FLAGS[name]!))
    .join(',');
