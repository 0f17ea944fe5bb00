import { type Source } from '../source';

/** A question of a GIFT file: its lines, and the id and tags from the comments before it. */
export interface Block {
  /** The number of its first line. */
  line: number;
  text: string;
  category: string | undefined;
  id: string | undefined;
  tags: string[];
}

const MAX_BLOCK_LENGTH = 1_000_000;

/** The questions of a file. A question begins after an empty line, or with a title. */
export async function* blocksOf(source: Source, path: string): AsyncGenerator<Block> {
  let category: string | undefined;
  let block: Block | undefined;
  let pending: Pick<Block, 'id' | 'tags'> = { id: undefined, tags: [] };
  let number = 0;
  for await (const written of source.lines(path)) {
    number++;
    const line = number === 1 ? written.replace(/^\uFEFF/, '') : written;
    if (line.trim().startsWith('//')) {
      const { id, tags } = inComment(line);
      const target = block ?? pending;
      target.id ??= id;
      target.tags.push(...tags);
    } else if (line.trim() === '') {
      if (block) yield block;
      block = undefined;
    } else if (!block && line.startsWith('$CATEGORY:')) {
      category = line.slice('$CATEGORY:'.length).trim();
    } else {
      // In some files, no empty line but only a title begins the next question.
      if (block && line.startsWith('::') && block.text.trimEnd().endsWith('}')) {
        yield block;
        block = undefined;
      }
      if (!block) {
        block = { line: number, text: '', category, ...pending };
        pending = { id: undefined, tags: [] };
      }
      if (block.text.length < MAX_BLOCK_LENGTH) block.text += `${block.text && '\n'}${line}`;
    }
  }
  if (block) yield block;
}

/** `[id:x]` and `[tag:y]`. A closing bracket may be escaped. */
function inComment(line: string): Pick<Block, 'id' | 'tags'> {
  const marks = [...line.matchAll(/\[(id|tag):((?:[^\]\\]|\\.)+)\]/g)].map(
    ([, kind, text]) => [kind!, text!.replace(/\\(.)/g, '$1').trim()] as const,
  );
  return {
    id: marks.find(([kind]) => kind === 'id')?.[1],
    tags: marks.filter(([kind, text]) => kind === 'tag' && text !== '').map(([, text]) => text),
  };
}
