import { type INestApplicationContext } from '@nestjs/common';
import { Audit, type Consumer, Consumers, type OrganisationWithSettings, type SecretsChange } from '#access';
import { Templates } from '#content';
import { EventSinks } from '#events';
import { Clock, grouped, type JsonObject, place, UnitOfWork } from '#kernel';
import { TagHierarchies } from '#tagging';
import { type Change, changeOf } from './change';
import { type ConsumerEntry, type Description, type OrganisationEntry } from './description';
import { type Entry, type Section, sections } from './sections';
import { type WebhookSecrets } from './secrets';
import { type Source } from './source';

type Held = Awaited<ReturnType<Consumers['hold']>>;

/** The organisation of audit rows that concern the whole installation. */
const INSTALLATION = 0;

/** Makes the stored data match a description. Leaves undescribed data unchanged. */
export class Provisioning {
  private readonly consumers: Consumers;
  private readonly audit: Audit;
  private readonly work: UnitOfWork;
  private readonly clock: Clock;
  private readonly sinks: EventSinks;
  private readonly sections: Section[];

  /** @param secrets secrets of the described webhooks. */
  constructor(services: INestApplicationContext, secrets: WebhookSecrets) {
    const get = <T>(type: abstract new (...args: never[]) => T): T => services.get(type, { strict: false });
    this.consumers = get(Consumers);
    this.audit = get(Audit);
    this.work = get(UnitOfWork);
    this.clock = get(Clock);
    this.sinks = get(EventSinks);
    this.sections = sections(
      { hierarchies: get(TagHierarchies), templates: get(Templates), sinks: this.sinks },
      secrets,
    );
  }

  /**
   * Applies the whole description or nothing, and returns the changes.
   * @param secrets valid secrets by key of the consumer; a consumer without an entry keeps its own.
   * @param dryRun only returns the changes.
   * @throws Fault that lists the parts of the description that contradict the stored data.
   */
  async apply(
    description: Description,
    secrets: ReadonlyMap<string, readonly string[]>,
    source: Source,
    { dryRun }: { dryRun: boolean },
  ): Promise<Change[]> {
    const { organisations = [], consumers = [] } = description;
    const once = async () => {
      const held = await this.consumers.hold(
        organisations.map(({ id }) => id),
        consumers.map(({ key }) => key),
      );
      await this.check(description, held, source);
      const ofSecrets = [...secrets].map(([key, wanted]) => this.consumers.secretsChange(key, wanted, held));
      const changes = [
        ...changesOfOrganisations(description, held),
        ...(await this.changesOfSections(description, held)),
        ...changesOfConsumers(description, held, ofSecrets),
      ];
      if (!dryRun) await this.write(changes, held, ofSecrets);
      return changes;
    };
    return dryRun ? once() : this.work.run(once);
  }

  /** Checks that need the database or the settings of the installation. */
  private async check({ organisations = [], consumers = [] }: Description, held: Held, source: Source): Promise<void> {
    const known = new Set([...organisations, ...(await this.consumers.organisations())].map(({ id }) => id));
    for (const [index, { key, grants, secrets }] of consumers.entries()) {
      const at = `/consumers/${index}`;
      if (!held.consumers.has(key) && !(grants && secrets))
        source.refuse(at, `${place(at)} is new: it needs grants and secrets; write [] for none.`);
      for (const [grant, { organisation }] of (grants ?? []).entries()) {
        const grantAt = `${at}/grants/${grant}/organisation`;
        if (!known.has(organisation))
          source.refuse(grantAt, `${place(grantAt)}: there is no organisation ${organisation}; describe it as well.`);
      }
    }
    for (const [index, { events }] of organisations.entries())
      this.checkEvents(`/organisations/${index}/events`, events, source);
    source.throwIfFaulty();
  }

  private checkEvents(at: string, events: OrganisationEntry['events'], source: Source): void {
    for (const [index, { url }] of (events?.webhooks ?? []).entries()) {
      const urlAt = `${at}/webhooks/${index}/url`;
      const fault = this.sinks.faultOfUrl(url);
      if (fault) source.refuse(urlAt, `${place(urlAt)} ${fault}.`);
    }
    const fault = this.sinks.faultOfStreams;
    if (events?.streams?.length && fault) source.refuse(`${at}/streams`, `${place(`${at}/streams`)}: ${fault}.`);
  }

  private async changesOfSections({ organisations = [] }: Description, held: Held): Promise<Change[]> {
    const changes: (Change | undefined)[] = [];
    for (const entry of organisations)
      for (const { kind, described, stored } of this.sections) {
        const wanted = described(entry);
        if (!wanted) continue;
        const before = byReference(held.organisations.has(entry.id) ? await stored(entry.id) : []);
        const after = byReference(wanted);
        for (const key of new Set([...after.keys(), ...before.keys()]))
          changes.push(changeOf({ kind, organisation: entry.id, key }, before.get(key), after.get(key)));
      }
    return changes.filter((change) => change !== undefined);
  }

  private async write(changes: readonly Change[], held: Held, secrets: readonly SecretsChange[]): Promise<void> {
    const of = (kind: Change['kind']) => changes.filter((change) => change.kind === kind && change.after);
    await this.consumers.save(
      {
        organisations: of('organisation').map(({ key, after }) => organisationOf(Number(key), after!)),
        consumers: of('consumer').map(({ key, after }) => consumerOf(key, after!)),
        secrets,
      },
      held,
    );
    for (const [organisation, theirs] of grouped(
      changes.map((change) => [change.organisation ?? INSTALLATION, change]),
    )) {
      for (const { kind, put, remove } of this.sections) {
        const ofKind = theirs.filter((change) => change.kind === kind);
        await put(
          organisation,
          ofKind.flatMap(({ after }) => (after ? [after as Entry] : [])),
        );
        await remove(
          organisation,
          ofKind.flatMap(({ after, key }) => (after ? [] : [key])),
        );
      }
      await this.audit.record(
        theirs.map(({ kind, key, before, after, secrets }) => ({
          subject: kind,
          key,
          detail: { before, after, ...(secrets && { secrets }) },
        })),
        { shelf: { organisation }, operation: 'provision', now: this.clock.now() },
      );
    }
  }
}

const byReference = (entries: readonly Entry[]) => new Map(entries.map((entry) => [entry.reference, entry]));

function changesOfOrganisations({ organisations = [] }: Description, held: Held): Change[] {
  return organisations.flatMap(({ id, name, settings }) => {
    const stored = held.organisations.get(id);
    const before = stored && { name: stored.name, settings: stored.settings as JsonObject };
    const after = { name, settings: { ...before?.settings, ...settings } };
    return changeOf({ kind: 'organisation', organisation: null, key: String(id) }, before, after) ?? [];
  });
}

function organisationOf(id: number, { name, settings }: JsonObject): OrganisationWithSettings {
  return { id, name: name as string, settings: settings as JsonObject };
}

function changesOfConsumers({ consumers = [] }: Description, held: Held, secrets: readonly SecretsChange[]): Change[] {
  const changesOfSecrets = new Map(secrets.map((change) => [change.key, counted(change)]));
  return consumers.flatMap((entry) => {
    const stored = held.consumers.get(entry.key);
    const before = stored && described(stored.consumer);
    const after = { ...(before ?? NEW_CONSUMER), ...givenOf(entry) };
    const thing = { kind: 'consumer', organisation: null, key: entry.key } as const;
    const ofSecrets = changesOfSecrets.get(entry.key);
    return changeOf({ ...thing, ...(ofSecrets && { secrets: ofSecrets }) }, before, after) ?? [];
  });
}

/** Defaults of a new consumer. */
const NEW_CONSUMER = {
  label: '',
  status: 'active',
  domains: ['localhost'],
  features: [],
  rate_limits: {},
  legacy_signatures: false,
};

function counted({ added, prolonged, ended }: SecretsChange): Change['secrets'] {
  const counts = { added: added.length, prolonged: prolonged.length, ended: ended.length };
  return Object.values(counts).some((count) => count > 0) ? counts : undefined;
}

function givenOf({ key: _key, secrets: _secrets, grants, ...given }: ConsumerEntry): JsonObject {
  const inOrder = grants?.toSorted((a, b) => a.organisation - b.organisation);
  return {
    ...given,
    ...(inOrder && {
      grants: inOrder.map(({ organisation, access, primary = false }) => ({ organisation, access, primary })),
    }),
  };
}

/** A consumer in the form of the description. */
function described({ key: _key, rateLimits, legacySignatures, grants, ...same }: Consumer): JsonObject {
  return {
    ...same,
    rate_limits: { ...rateLimits },
    legacy_signatures: legacySignatures,
    grants: grants
      .toSorted((a, b) => a.organisation - b.organisation)
      .map(({ organisation, access, primary }) => ({ organisation, access, primary })),
  };
}

function consumerOf(key: string, after: JsonObject): Consumer {
  const { rate_limits: rateLimits, legacy_signatures: legacySignatures, ...same } = after;
  return { key, rateLimits, legacySignatures, ...same } as unknown as Consumer;
}
