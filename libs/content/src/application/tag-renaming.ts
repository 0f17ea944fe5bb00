import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { JobHandler, Jobs, type RunningJob } from '#jobs';
import { type JsonText, type Scope, UnitOfWork } from '#kernel';
import { type TagRename, TagRenames, Tags } from '#tagging';
import { RecordStore } from './ports/record-store';

/** Ids of the tag that is replaced, and of its successor. */
interface Task {
  from: string;
  to: string;
}

type Tagged = 'item' | 'activity';

/** The progress of the job: the numbers of changed records, and the position in the present pass. */
interface State {
  changed: Record<Tagged, number>;
  kind: Tagged | null;
  after?: string;
}

/** The number of records that one batch changes. */
const BATCH_SIZE = 50;

/** A job that replaces a tag by another one on all content of the bank. Each record gets a revision. */
@Injectable()
export class TagRenaming extends JobHandler<State> {
  override readonly type = 'rename-tag';

  constructor(
    private readonly renames: TagRenames,
    private readonly tags: Tags,
    private readonly records: RecordStore,
    private readonly jobs: Jobs,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
  ) {
    super();
  }

  /** Gives the tag its new name at once, and starts the job that replaces it on content. Returns the reference of the job. */
  async start(rename: TagRename, scope: Scope): Promise<string> {
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      const task: Task = await this.renames.begin(rename, scope);
      const about = { subject: `${rename.type}:${rename.newName}`, input: JSON.stringify(task) };
      // Renames run one after another, so that a tag that is renamed twice gets the last name.
      return this.jobs.start({ type: this.type, lane: 'bulk', serialKey: 'rename tags', ...about }, scope);
    });
  }

  override async run(job: RunningJob<State>): Promise<JsonText> {
    const task = job.input as Task;
    const state = (): State => job.state ?? { changed: { item: 0, activity: 0 }, kind: 'item' };
    while (state().kind !== null)
      await job.batch(async () => {
        const before = state();
        const kind = before.kind!;
        const { count, after } = await this.replace(task, kind, before.after, job.scope);
        const changed = { ...before.changed, [kind]: before.changed[kind] + count };
        // Content that the job has passed may get the tag meanwhile. So passes repeat until one finds nothing.
        const isDone = count === 0 && before.after === undefined;
        const next = isDone ? (kind === 'item' ? 'activity' : null) : kind;
        const done = changed.item + changed.activity;
        return { state: { changed, kind: next, after }, progress: { done, total: null } };
      });
    const { item, activity } = state().changed;
    return JSON.stringify({ items: item, activities: activity });
  }

  /** `after` is set when more records may follow. */
  private async replace(
    { from, to }: Task,
    kind: Tagged,
    after: string | undefined,
    scope: Scope,
  ): Promise<{ count: number; after?: string }> {
    const { organisation } = scope.shelf;
    const carriers = await this.records.carriers(organisation, kind, from, BATCH_SIZE, after);
    if (carriers.length === 0) return { count: 0 };
    await this.authors.ensure(scope);
    const references = carriers.map(({ reference }) => reference).sort();
    const locked = await this.records.lock(organisation, kind, references);
    const current = [...locked.values()].filter(({ tagIds }) => tagIds.includes(from));
    const lists = current.map(({ tagIds }) => [...new Set(tagIds.map((id) => (id === from ? to : id)))]);
    const sets = await this.tags.sets(lists, scope);
    await this.records.save(
      current.map((before, index) => ({ ...before, before, tagSetId: sets[index]!, tagIds: lists[index]! })),
      scope,
    );
    return { count: current.length, after: carriers.at(-1)!.id };
  }
}
