import { Inject, Injectable } from '@nestjs/common';
import { compare, type Operation } from 'fast-json-patch';
import { Fault, type JsonObject } from '#kernel';
import { type Family } from '../domain/record';
import { HistoryReader, type Revision } from './ports/history-reader';

/** How records came to be what they are. */
@Injectable()
export class History {
  constructor(@Inject(HistoryReader) private readonly reader: HistoryReader) {}

  /**
   * Revisions of a record, oldest first.
   * @throws Fault when no record has the reference.
   */
  async of(organisation: number, family: Family, reference: string): Promise<Revision[]> {
    const revisions = await this.reader.revisions(organisation, family, reference);
    if (!revisions)
      throw new Fault('reference-unknown', `There is no ${family} ${reference} in organisation ${organisation}.`);
    return revisions;
  }

  /** What turns revision `from` into revision `to`, as a JSON Patch (RFC 6902). Revisions are numbered from 1. */
  async diff(organisation: number, family: Family, reference: string, from: number, to: number): Promise<Operation[]> {
    const revisions = await this.of(organisation, family, reference);
    const [before, after] = [from, to].map((number) => {
      const revision = revisions[number - 1];
      if (!revision)
        throw new Fault(
          'value',
          `${reference} has revisions 1 to ${revisions.length}; there is no revision ${number}.`,
        );
      return shown(revision);
    });
    return compare(before!, after!);
  }
}

function shown({ reference, status, tags, body, extras }: Revision): JsonObject {
  return {
    reference,
    ...(status === null ? {} : { status }),
    tags: tags.map(({ type, name }) => ({ type, name })),
    ...(JSON.parse(body) as JsonObject),
    ...(extras === null ? {} : (JSON.parse(extras) as JsonObject)),
  };
}
