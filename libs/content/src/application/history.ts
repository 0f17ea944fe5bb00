import { Injectable } from '@nestjs/common';
import { type AddOperation, compare, type RemoveOperation, type ReplaceOperation } from 'fast-json-patch';
import { Fault, type JsonObject, place, type Slice } from '#kernel';
import { Workflows } from '#workflows';
import { shownBody } from '../domain/activity';
import { type Family, type Kind } from '../domain/record';
import { HistoryReader, type Revision, type RevisionFacts, type RevisionQuery } from './ports/history-reader';

/** The steps of a patch that `compare` makes. */
type Change = AddOperation<unknown> | RemoveOperation | ReplaceOperation<unknown>;

/** The revisions of records. */
@Injectable()
export class History {
  constructor(
    private readonly reader: HistoryReader,
    private readonly workflows: Workflows,
  ) {}

  /**
   * Revisions of a record, oldest first.
   * @throws Fault when no record has the reference.
   */
  async of(organisation: number, family: Family, reference: string): Promise<Revision[]> {
    const revisions = await this.reader.revisions(organisation, family, reference);
    if (!revisions)
      throw new Fault(
        'reference-unknown',
        `There is no ${family} ${JSON.stringify(reference)} in organisation ${organisation}.`,
      );
    return revisions;
  }

  /** Revisions of the records that have these references now, sorted by their start. */
  async find(organisation: number, query: RevisionQuery): Promise<Slice<RevisionFacts>> {
    return this.reader.find(organisation, query);
  }

  /**
   * The changes from revision `from` of a record to revision `to`, as a JSON Patch (RFC 6902).
   * @throws Fault when no record has the reference, or the record lacks a revision.
   */
  async diff(organisation: number, kind: Kind, reference: string, from: number, to?: number): Promise<Change[]> {
    const wanted = [...new Set(to === undefined ? [from] : [from, to])];
    const found = await this.reader.whole(
      organisation,
      kind,
      wanted.map((beganAt) => ({ reference, beganAt })),
    );
    const revisions = new Map(found.map((revision) => [revision.beganAt, revision]));
    const named = { from, to } as const;
    for (const member of ['from', 'to'] as const)
      if (named[member] !== undefined && !revisions.has(named[member]))
        throw await this.unknown(organisation, kind, reference, named[member], `/${member}`);
    if (to === undefined) {
      const { present } = found[0]!;
      for (const revision of await this.reader.whole(organisation, kind, [{ reference, beganAt: present }]))
        revisions.set(present, revision);
      to = present;
    }
    const [before, after] = [revisions.get(from)!, revisions.get(to)!];
    const workflows = await this.workflows.byIds(organisation, [before.workflowId, after.workflowId]);
    return compare(shown(kind, before, workflows), shown(kind, after, workflows)) as Change[];
  }

  /** The fault for a revision that was not found. */
  async unknown(
    organisation: number,
    kind: Kind,
    reference: string,
    revision: number,
    at: string,
    referenceAt = '/reference',
  ): Promise<Fault> {
    const query = { kind, references: [reference], ascending: false, limit: 1 };
    const [latest] = (await this.reader.find(organisation, query)).entries;
    const record = `${kind} ${JSON.stringify(reference)}`;
    if (!latest) return new Fault('reference-unknown', `${place(referenceAt)}: there is no ${record}.`, referenceAt);
    return new Fault(
      'value',
      `${place(at)}: the ${record} has no revision ${revision}; its latest is ${latest.beganAt}, and itembank/history lists them all.`,
      at,
    );
  }
}

function shown(kind: Kind, revision: Revision, workflows: ReadonlyMap<string, string>): JsonObject {
  const { reference, status, tags, extras, workflowId, workflowState } = revision;
  const body = kind === 'activity' ? shownBody(revision) : revision.body;
  return {
    reference,
    ...(status === null ? {} : { status }),
    tags: tags.map(({ type, name }) => ({ type, name })),
    ...(workflowId === null
      ? {}
      : { authoring_workflow: { reference: workflows.get(workflowId)!, state: workflowState } }),
    ...(JSON.parse(body) as JsonObject),
    ...(extras === null ? {} : (JSON.parse(extras) as JsonObject)),
  };
}
