import { cleanSvg } from './svg';

export interface Media {
  name: string;
  type: string;
  content: Buffer;
}

type Signature = readonly [at: number, bytes: string];

/** Kinds of files by their first bytes (decision 65). A file whose extension is not among those of its kind gets the first of them. */
const KINDS: readonly { type: string; extensions: readonly string[]; signatures: readonly Signature[] }[] = [
  { type: 'image/png', extensions: ['png'], signatures: [[0, '\x89PNG\r\n\x1a\n']] },
  { type: 'image/jpeg', extensions: ['jpg', 'jpeg'], signatures: [[0, '\xff\xd8\xff']] },
  { type: 'image/gif', extensions: ['gif'], signatures: [[0, 'GIF8']] },
  { type: 'image/webp', extensions: ['webp'], signatures: [[8, 'WEBP']] },
  { type: 'application/pdf', extensions: ['pdf'], signatures: [[0, '%PDF-']] },
  {
    type: 'audio/mpeg',
    extensions: ['mp3'],
    signatures: [
      [0, 'ID3'],
      [0, '\xff\xfb'],
      [0, '\xff\xf3'],
      [0, '\xff\xf2'],
    ],
  },
  { type: 'audio/wav', extensions: ['wav'], signatures: [[8, 'WAVE']] },
  { type: 'audio/mp4', extensions: ['m4a'], signatures: [[4, 'ftypM4A']] },
  { type: 'video/mp4', extensions: ['mp4', 'm4v', 'mov'], signatures: [[4, 'ftyp']] },
  { type: 'video/webm', extensions: ['webm'], signatures: [[0, '\x1aE\xdf\xa3']] },
  { type: 'application/ogg', extensions: ['ogg', 'oga', 'ogv'], signatures: [[0, 'OggS']] },
];

/** Determines the kind of a file by its content. Sanitises SVG, and refuses all kinds that a page does not show. */
export function mediaOf(content: Buffer, name: string): Media | { refused: string } {
  const beginning = content.toString('latin1', 0, 16);
  const kind = KINDS.find(({ signatures }) => signatures.some(([at, bytes]) => beginning.startsWith(bytes, at)));
  if (kind) return { name: named(name, kind.extensions), type: kind.type, content };
  if (!/<svg[\s>]/.test(content.toString('latin1', 0, 4096)))
    return { refused: 'it is not a picture, sound, video or PDF' };
  const clean = cleanSvg(content.toString('utf8'));
  if (clean === undefined) return { refused: 'it is an SVG picture that could run code' };
  return { name: named(name, ['svg']), type: 'image/svg+xml', content: Buffer.from(clean) };
}

function named(path: string, [usual, ...others]: readonly string[]): string {
  const name = path.split('/').at(-1)!;
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  return extension === usual || others.includes(extension ?? '') ? name : `${name}.${usual}`;
}
