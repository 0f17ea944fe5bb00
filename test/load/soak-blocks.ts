import { inParts } from '#kernel';
import { type Client } from '../support/client';
import {
  type StartedWork,
  withIdempotencyKey,
  type Mix,
  type PromiseCheck,
  QUESTIONS,
  questionReference,
  takeFirst,
} from './soak-bank';
import { type SteadyCaller } from './steady-caller';

/** A group of items that are always set together. */
interface Block {
  references: string[];
  /** The last acknowledged edition, and the number of acknowledged editions. */
  edition: number;
}

const BLOCKS = 40;
const ITEMS_PER_BLOCK = 5;

/** Sets and reads items in blocks. */
export class SoakBlocks {
  private readonly blocks: Block[] = Array.from({ length: BLOCKS }, (_, block) => ({
    references: Array.from({ length: ITEMS_PER_BLOCK }, (_, item) => `soak-block-${block}-${item}`),
    edition: 0,
  }));
  private readonly free = new Set(this.blocks);

  constructor(
    private readonly caller: SteadyCaller,
    private readonly random: (below: number) => number,
  ) {}

  readonly mix: Mix = [
    [40, (due) => this.read(due)],
    [12, (due) => this.set(due)],
  ];

  get references(): string[] {
    return this.blocks.flatMap(({ references }) => references);
  }

  async seed(): Promise<void> {
    for (const _ of this.blocks) await this.set(Date.now());
  }

  private async set(due: number): Promise<StartedWork> {
    const block = takeFirst(this.free);
    if (!block) return {};
    const edition = block.edition + 1;
    await this.caller.call(
      'set items',
      'set',
      'itembank/items',
      withIdempotencyKey({
        items: block.references.map((reference) => ({
          reference,
          title: String(edition),
          status: 'published',
          definition: { widgets: [{ reference: questionReference(edition % QUESTIONS) }] },
          tags: { Edition: [String(edition % 10)] },
        })),
      }),
      due,
    );
    block.edition = edition;
    this.free.add(block);
    return {};
  }

  /** Checks that all items of a block have the same edition, and none older than the last acknowledged one. */
  private async read(due: number): Promise<StartedWork> {
    const chosen = Array.from({ length: 5 }, () => this.blocks[this.random(BLOCKS)]!);
    const known = new Map(chosen.map((block) => [block, block.edition]));
    const references = [...new Set(chosen.flatMap((block) => block.references))];
    const { data } = await this.caller.call('read items', 'get', 'itembank/items', { references }, due);
    const titles = new Map(
      (data as { reference: string; title: string }[]).map(({ reference, title }) => [reference, Number(title)]),
    );
    for (const [block, edition] of known) {
      const found = new Set(block.references.map((reference) => titles.get(reference)));
      const [one = NaN] = found;
      if (found.size !== 1 || !(one >= edition))
        throw new Error(
          `${block.references[0]} … have the editions ${[...found].map((each) => each ?? 'none').join(', ')}; ${edition} was acknowledged.`,
        );
    }
    return {};
  }

  async check(client: Client): Promise<PromiseCheck> {
    const revisions = await revisionsOf(client, 'item', this.references);
    const titles = await titlesOf(client, this.references);
    return {
      promise: 'an acknowledged set has exactly one revision of each item',
      checked: this.blocks.reduce((sum, { edition }) => sum + edition, 0),
      broken: this.blocks.flatMap(({ references, edition }) =>
        references
          .filter((reference) => revisions.get(reference) !== edition || titles.get(reference) !== String(edition))
          .map(
            (reference) =>
              `${reference}: ${edition} sets were acknowledged, it has ${revisions.get(reference)} revisions and the edition ${titles.get(reference)}`,
          ),
      ),
    };
  }
}

/** The number of revisions of each record. */
export async function revisionsOf(
  client: Client,
  kind: 'item' | 'question',
  references: readonly string[],
): Promise<Map<string, number>> {
  const revisions = new Map<string, number>();
  for (const part of inParts(references, 50))
    for (const { reference } of await client.all('itembank/history', { kind, references: part }))
      revisions.set(reference, (revisions.get(reference) ?? 0) + 1);
  return revisions;
}

/** The titles of items. */
export async function titlesOf(client: Client, references: readonly string[]): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for (const part of inParts(references, 50))
    for (const { reference, title } of await client.all('itembank/items', { references: part }))
      titles.set(reference, title);
  return titles;
}
