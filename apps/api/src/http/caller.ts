import { type Access, type Consumer } from '#access';
import { type Author, Fault } from '#kernel';
import { authorOf, checkMembers, mayCall, mayPublish, type Person, type Role, seesKeys } from '#people';
import { type Declaration, type Result, rightFor } from '../declaration/operation';
import { withoutOthersResults } from './results-of-jobs';
import { withoutKeys } from './without-keys';

/** The organisation id of calls that cover all readable organisations. No organisation has it. */
export const EVERY_ORGANISATION = 0;

type Operation = Pick<Declaration, 'path' | 'action' | 'right' | 'acrossOrganisations' | 'feature'>;

/** The caller with their rights: a consumer's program, or a person in the console. */
export interface Caller {
  /** Names the caller in limits, logs and idempotency keys. */
  readonly key: string;
  /** Counts the call against the caller's limit for the operation. */
  take(action: string, path: string): ReturnType<Access['take']>;
  /** @throws Fault 41008 when the caller lacks the feature that the operation needs. */
  checkFeature(operation: Operation): void;
  /** @throws Fault 40002 or 40003 when the caller may not call the operation there. */
  organisationFor(operation: Operation, asked: number | undefined): number;
  /** The organisations whose banks the operation may read for the caller. */
  readable(operation: Operation): ReadonlySet<number>;
  /** The author of the changes. */
  author(sent: Author | undefined): Author | undefined;
  /** @throws Fault 40003 with the place of each member that the caller may not send. */
  checkInput(operation: Operation, organisation: number, input: object): void;
  /** Whether items that the caller copies or restores may be published. */
  mayPublish(organisation: number): boolean;
  /** Reduces the answer to the parts that the caller may see. */
  shown(operation: Operation, organisation: number, result: Result): Result;
}

/** A program that signs its calls. */
export class ConsumerCaller implements Caller {
  readonly key: string;

  constructor(
    private readonly consumer: Consumer,
    private readonly access: Access,
  ) {
    this.key = consumer.key;
  }

  take(action: string, path: string) {
    return this.access.take(this.consumer, action, path);
  }

  checkFeature({ feature }: Operation): void {
    this.access.checkFeature(this.consumer, feature);
  }

  organisationFor(operation: Operation, asked: number | undefined): number {
    if (operation.acrossOrganisations && asked === undefined) return EVERY_ORGANISATION;
    return this.access.organisationFor(this.consumer, asked, rightFor(operation));
  }

  readable(): ReadonlySet<number> {
    return new Set(this.consumer.grants.map(({ organisation }) => organisation));
  }

  /** The caller says for whom it acts. */
  author(sent: Author | undefined): Author | undefined {
    if (!sent) return undefined;
    const { id, firstname, lastname, email } = sent;
    return { id, firstname: firstname ?? undefined, lastname: lastname ?? undefined, email: email ?? undefined };
  }

  checkInput(): void {
    // A consumer's rights do not depend on members.
  }

  mayPublish(): boolean {
    return true;
  }

  shown(_: Operation, __: number, result: Result): Result {
    return result;
  }
}

/** A person who is signed in. Their roles in an organisation decide (decision 67). */
export class PersonCaller implements Caller {
  readonly key: string;

  constructor(
    private readonly person: Person,
    private readonly access: Access,
  ) {
    this.key = `person-${person.id}`;
  }

  take(action: string, path: string) {
    return this.access.take({ key: this.key, rateLimits: {} }, action, path);
  }

  checkFeature(): void {
    // Features limit programs; the roles of people say the same.
  }

  organisationFor(operation: Operation, asked: number | undefined): number {
    const readable = this.readable(operation);
    if (asked === undefined) {
      if (readable.size === 0) throw new Fault('no-rights', this.refusal(operation));
      if (operation.acrossOrganisations) return EVERY_ORGANISATION;
      const own = [...this.person.roles.keys()];
      if (own.length !== 1)
        throw new Fault(
          'no-organisation',
          'You work in several organisations; name one in organisation_id.',
          '/organisation_id',
        );
      return own[0]!;
    }
    if (!readable.has(asked)) throw new Fault('no-rights', this.refusal(operation, asked), '/organisation_id');
    return asked;
  }

  readable(operation: Operation): ReadonlySet<number> {
    const name = nameOf(operation);
    return new Set([...this.person.roles].filter(([, roles]) => mayCall(roles, name)).map(([id]) => id));
  }

  /** The person who is signed in. The call cannot name another author (decision 68). */
  author(): Author {
    return authorOf(this.person);
  }

  checkInput(operation: Operation, organisation: number, input: object): void {
    checkMembers(this.rolesIn(organisation), nameOf(operation), input);
  }

  mayPublish(organisation: number): boolean {
    return mayPublish(this.rolesIn(organisation));
  }

  shown(operation: Operation, organisation: number, result: Result): Result {
    const name = nameOf(operation);
    if (name === 'get jobs') {
      const organisations = organisation === EVERY_ORGANISATION ? [...this.readable(operation)] : [organisation];
      return withoutOthersResults((other) => organisations.every((each) => mayCall(this.rolesIn(each), other)), result);
    }
    return seesKeys(this.rolesIn(organisation)) ? result : withoutKeys(name, result);
  }

  private rolesIn(organisation: number): readonly Role[] {
    return this.person.roles.get(organisation) ?? [];
  }

  private refusal(operation: Operation, organisation?: number): string {
    const where = organisation === undefined ? '' : ` in organisation ${organisation}`;
    return `Your roles${where} do not include ${nameOf(operation)}; an operator can change them.`;
  }
}

const nameOf = ({ action, path }: Operation): string => `${action} ${path}`;
