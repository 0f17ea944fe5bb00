import { Injectable } from '@nestjs/common';
import { Audit, AUDIT_SUBJECTS, type AuditPart, type AuditSubject, Consumers, type KeptEntry } from '#access';
import { foldCase, MANUAL_USER, type Position, type Slice } from '#kernel';
import { INSTALLATION } from '../domain/person';
import { PersonStore } from './ports/person-store';

interface OrganisationAuditQuery {
  /** Absent: all. */
  subjects?: readonly AuditSubject[];
  references?: readonly string[];
  authors?: readonly string[];
  operations?: readonly string[];
  from?: number;
  to?: number;
  limit: number;
  after?: Position;
}

/** Subjects whose entries belong to the installation, not to an organisation. */
const SHARED: readonly AuditSubject[] = ['person', 'consumer', 'organisation'];
const REMOVED = 'remove person';
/** Separates the type and the name of a tag in its key. */
const TAG_SEPARATOR = '\n';

/**
 * The audit log as an organisation sees it: its own entries, and those of the installation about the organisation, its
 * people and its consumers.
 */
@Injectable()
export class OrganisationAudit {
  constructor(
    private readonly audit: Audit,
    private readonly consumers: Consumers,
    private readonly people: PersonStore,
  ) {}

  /** Newest first. The key of a tag is `Type:Name`. */
  async find(
    organisation: number,
    { subjects, references, authors, operations, ...rest }: OrganisationAuditQuery,
  ): Promise<Slice<KeptEntry>> {
    const filter: Omit<AuditPart, 'organisation' | 'subject'> = {
      keys: references?.flatMap(keysOf),
      authors: authors?.flatMap((id) => (id === MANUAL_USER ? [id, null] : [id])),
      operations,
    };
    const wanted = subjects && [...new Set(subjects)];
    // The index by key begins with the subject. So a search by keys alone looks in each subject.
    const listed = wanted ?? (references ? AUDIT_SUBJECTS : undefined);
    const own = listed
      ? listed.map((subject): AuditPart => ({ organisation, subject, ...filter }))
      : [{ organisation, ...filter }];
    const isWanted = (subject: AuditSubject) => !wanted || wanted.includes(subject);
    const shared = SHARED.some(isWanted) ? await this.shared(organisation) : [];
    const parts = [...own, ...shared.filter(({ subject }) => isWanted(subject!)).flatMap((part) => both(part, filter))];
    const { entries, after } = await this.audit.newest({ parts, ...rest });
    return { entries: entries.map((entry) => seenFrom(organisation, entry)), after };
  }

  private async shared(organisation: number): Promise<AuditPart[]> {
    const consumers = (await this.consumers.list()).filter(
      ({ grants }) => grants.length > 0 && grants.every((grant) => grant.organisation === organisation),
    );
    const people = this.people.idsIn(organisation);
    const { organisation: installation } = INSTALLATION;
    return [
      { organisation: installation, subject: 'consumer', keys: consumers.map(({ key }) => key) },
      { organisation: installation, subject: 'organisation', keys: [String(organisation)] },
      { organisation: installation, subject: 'person', keysIn: people },
      // A removed person belongs to no organisation, so removals are found by the person who made them.
      { organisation: installation, subject: 'person', authorsIn: people, operations: [REMOVED] },
    ];
  }
}

/** The part with the filter applied; empty when they have no value in common. */
function both(part: AuditPart, filter: Omit<AuditPart, 'organisation' | 'subject'>): AuditPart[] {
  const common = <T>(a?: readonly T[], b?: readonly T[]) => (a && b ? a.filter((each) => b.includes(each)) : (a ?? b));
  const joined = {
    keys: common(part.keys, filter.keys),
    authors: common(part.authors, filter.authors),
    operations: common(part.operations, filter.operations),
  };
  if (Object.values(joined).some((list) => list?.length === 0)) return [];
  return [{ ...part, ...joined }];
}

/** The keys that a reference may mean: the text as sent, the same in folded case, or a tag's `Type:Name`. */
function keysOf(reference: string): string[] {
  const folded = foldCase(reference);
  return [...new Set([reference, folded, folded.replace(':', TAG_SEPARATOR)])];
}

/** The entry as an organisation may see it: without roles in other organisations. */
function seenFrom(organisation: number, entry: KeptEntry): KeptEntry {
  if (entry.subject === 'tag') return { ...entry, key: entry.key.replace(TAG_SEPARATOR, ':') };
  if (entry.subject !== 'person') return entry;
  const detail = Object.fromEntries(
    Object.entries(entry.detail).map(([name, value]) => [
      name,
      ROLE_MEMBERS.has(name) ? ((value as Record<string, unknown>)[organisation] ?? []) : value,
    ]),
  );
  return { ...entry, detail };
}

/** Members of details that list roles by organisation. */
const ROLE_MEMBERS: ReadonlySet<string> = new Set(['roles', 'before', 'after']);
