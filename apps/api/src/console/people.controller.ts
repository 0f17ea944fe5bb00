import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Req,
  UseFilters,
  UseGuards,
  UsePipes,
} from '@nestjs/common';
import { Fault } from '#kernel';
import { authorOf, People, type Person, type Role, type Roles, type SignedIn, SignIns } from '#people';
import { bodyValidation } from '../http/body-validation';
import { NewLinkBody, PersonBody, PersonChangesBody, RolesBody } from './bodies';
import { ConsoleErrors } from './console-errors.filter';
import { type ConsoleCall, ConsoleGuard, FreshOperators, operatedBy, Operators } from './console.guard';

/** Lets operators manage the people of their organisations. */
@Controller('console/people')
@UseGuards(ConsoleGuard)
@UseFilters(ConsoleErrors)
@UsePipes(bodyValidation())
export class PeopleController {
  constructor(
    private readonly people: People,
    private readonly signIns: SignIns,
  ) {}

  @Operators()
  @Get()
  async list(@Req() { by }: ConsoleCall) {
    const own = operatedBy(by!);
    return (await this.people.list())
      .filter(({ roles }) => own.some((organisation) => roles.has(organisation)))
      .map((person) => viewOf(person, own));
  }

  @FreshOperators()
  @Post()
  async create(@Req() { by }: ConsoleCall, @Body() body: PersonBody) {
    const roles = rolesOf(body.roles, by!);
    const { email, firstname, lastname } = body;
    const wanted = { email, firstname: firstname ?? '', lastname: lastname ?? '', roles };
    const person = await this.people.create(wanted, authorOf(by!.person));
    return { ...viewOf(person, operatedBy(by!)), link: await this.link(person.id, 'invitation', by!) };
  }

  @FreshOperators()
  @Patch(':id')
  async change(@Req() { by }: ConsoleCall, @Param('id') id: string, @Body() { status, roles }: PersonChangesBody) {
    await this.managed(id, by!);
    const changes = { roles: roles ? rolesOf(roles, by!) : undefined, status: status ?? undefined };
    await this.people.change(id, changes, authorOf(by!.person), (person, operator) => {
      const present = stillOperator(by!, operator);
      // The operator's own rights may have changed since the call was checked.
      if (roles) {
        rolesOf(roles, present);
        checkBefore(person, roles);
      }
      checkChange(person, changes, present);
    });
    return viewOf(await this.people.find(id), operatedBy(by!));
  }

  @FreshOperators()
  @Post(':id/links')
  async newLink(@Req() { by }: ConsoleCall, @Param('id') id: string, @Body() { purpose }: NewLinkBody) {
    await this.managed(id, by!);
    return this.link(id, purpose, by!);
  }

  @FreshOperators()
  @Delete(':id')
  @HttpCode(204)
  async remove(@Req() { by }: ConsoleCall, @Param('id') id: string) {
    await this.managed(id, by!);
    if (id === by!.person.id) throw new Fault('conflict', 'You cannot remove your own account.');
    await this.people.remove(id, authorOf(by!.person), (person, operator) =>
      checkAllOwn(person, stillOperator(by!, operator)),
    );
  }

  private async link(id: string, purpose: NewLinkBody['purpose'], by: SignedIn) {
    const check = (person: Person) => checkAllOwn(person, by);
    const { secret, endsAt } = await this.signIns.newLink(id, purpose, authorOf(by.person), check);
    return { path: linkPath(secret), ends_at: new Date(endsAt).toISOString() };
  }

  /** A person of the operator's organisations. For all others, it throws the fault for an unknown person. */
  private async managed(id: string, by: SignedIn): Promise<Person> {
    const person = await this.people.look(id);
    if (!person || !operatedBy(by).some((organisation) => person.roles.has(organisation)))
      throw new Fault('reference-unknown', 'There is no such person in your organisations.');
    return person;
  }
}

/** The operator with the present roles, which another operator may have changed since the call began. */
function stillOperator(by: SignedIn, operator: Person | undefined): SignedIn {
  if (operator?.status !== 'active') throw new Fault('no-rights', 'Your account was disabled or removed meanwhile.');
  return { ...by, person: operator };
}

/** Nobody replaces roles that they have not seen. */
function checkBefore(person: Person, wanted: readonly RolesBody[]): void {
  for (const [index, { organisation, before }] of wanted.entries()) {
    const stored = person.roles.get(organisation) ?? [];
    if (before && [...new Set(before)].sort().join() !== [...stored].sort().join())
      throw new Fault(
        'conflict',
        `Another operator has changed these roles meanwhile: they are now ${stored.join(', ') || 'none'}.`,
        `/roles/${index}/before`,
      );
  }
}

/** Links and statuses affect a person in all organisations, so the operator must manage all of them. */
function checkAllOwn(person: Person, by: SignedIn): void {
  const own = operatedBy(by);
  if (![...person.roles.keys()].every((organisation) => own.includes(organisation)))
    throw new Fault('no-rights', 'This person also works in organisations of which you are not an operator.');
}

/**
 * Operators keep their own role and account, so that an organisation never loses its last operator. Everybody keeps a
 * role somewhere, because no operator would find an account without one.
 */
function checkChange(person: Person, { roles, status }: { roles?: Roles; status?: Person['status'] }, by: SignedIn) {
  const isOwn = person.id === by.person.id;
  if (roles) {
    const wanted = new Map<number, readonly Role[]>([...person.roles, ...roles]);
    if (isOwn && operatedBy(by).some((organisation) => !wanted.get(organisation)?.includes('operator')))
      throw new Fault('conflict', 'You cannot take the role operator from yourself; another operator can.', '/roles');
    if ([...wanted.values()].every((names) => names.length === 0))
      throw new Fault('conflict', 'Leave the person a role, or disable or remove the account.', '/roles');
  }
  if (status) {
    if (isOwn && status === 'disabled') throw new Fault('conflict', 'You cannot disable your own account.', '/status');
    checkAllOwn(person, by);
  }
}

/** The path of a link in the console. Browsers do not send the part after #, so no log contains the secret. */
export const linkPath = (secret: string): string => `/console/link#${secret}`;

function rolesOf(bodies: readonly RolesBody[], by: SignedIn): Roles {
  const own = operatedBy(by);
  for (const [index, body] of bodies.entries()) {
    // The validation does not check null and lists.
    if (!(body instanceof RolesBody)) throw new Fault('type', 'Give an organisation and its roles.', `/roles/${index}`);
    if (!own.includes(body.organisation))
      throw new Fault('no-rights', `You are not an operator of organisation ${body.organisation}.`, `/roles/${index}`);
  }
  return new Map(bodies.map(({ organisation, roles }): [number, Role[]] => [organisation, [...new Set(roles)].sort()]));
}

const viewOf = (person: Person, own: readonly number[]) => ({
  id: person.id,
  email: person.email,
  firstname: person.firstname,
  lastname: person.lastname,
  status: person.status,
  roles: [...person.roles]
    .filter(([organisation]) => own.includes(organisation))
    .map(([organisation, roles]) => ({ organisation, roles })),
  has_password: person.hasPassword,
  created_at: new Date(person.createdAt).toISOString(),
  signed_in_at: person.signedInAt === null ? null : new Date(person.signedInAt).toISOString(),
});
