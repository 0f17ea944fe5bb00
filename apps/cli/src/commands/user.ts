import { type Command, InvalidArgumentError, Option } from 'commander';
import { isRole, People, PeopleModule, type Person, type Purpose, type Role, ROLES, SignIns } from '#people';
import { timeOf } from '#kernel';
import { Config } from '#platform';
import { readCredentials } from '#runtime';
import { address, name, organisationId } from '../options';
import { iso, printJson, printLine, printTable } from '../print';
import { withServices } from '../services';

interface Services {
  people: People;
  signIns: SignIns;
  config: Config;
}

interface CreateOptions {
  organisation: number;
  role: Role[];
  firstname?: string;
  lastname?: string;
  url?: string;
  json?: true;
}

export function add(program: Command): void {
  const user = program.command('user');

  user
    .command('create')
    .description('Creates an account and prints the link with which the person chooses a password.')
    .argument('<email>', 'e-mail address of the person')
    .requiredOption('--organisation <id>', 'organisation in which the person works', organisationId)
    .requiredOption('--role <roles>', `what the person does there: ${ROLES.join(', ')}; several with commas`, roles)
    .option('--firstname <name>', 'first name', name)
    .option('--lastname <name>', 'last name', name)
    .option('--url <address>', 'address at which browsers reach the service, for the link', address)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank user create anna@example.org --organisation 1 --role author,reviewer')
    .action(async (email: string, { organisation, role, firstname, lastname, url, json }: CreateOptions) =>
      withPeople(async (services) => {
        const wanted = { email, firstname, lastname, roles: new Map([[organisation, role]]) };
        const person = await services.people.create(wanted);
        const link = await linkFor(services, person, 'invitation', url);
        if (json) printJson({ ...view(person), ...link });
        else {
          printLine(`The account of ${person.email} is made. With this link the person chooses a password:`);
          printLink(link);
        }
      }),
    );

  user
    .command('list')
    .description('Lists all accounts.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank user list')
    .action(async ({ json }: { json?: true }) =>
      withPeople(async ({ people }) => {
        const all = await people.list();
        if (json) printJson(all.map(view));
        else
          printTable(
            ['E-MAIL', 'STATUS', 'ROLES', 'LAST SIGN-IN'],
            all.map((person) => [
              person.email,
              person.status,
              [...person.roles].map(([organisation, names]) => `${organisation}: ${names.join(', ')}`).join('; '),
              person.signedInAt === null ? 'never' : iso(person.signedInAt),
            ]),
          );
      }),
    );

  for (const [command, status, effect] of [
    ['disable', 'disabled', 'Signs a person out everywhere, and prevents new sign-ins.'],
    ['enable', 'active', 'Lets a disabled person sign in again.'],
  ] as const)
    user
      .command(command)
      .description(effect)
      .argument('<email>', 'e-mail address of the person')
      .addHelpText('after', `\nExample:\n  itembank user ${command} anna@example.org`)
      .action(async (email: string) =>
        withPeople(async ({ people }) => {
          const person = await people.findByEmail(email);
          await people.change(person.id, { status });
          printLine(`The account of ${person.email} is ${status}.`);
        }),
      );

  user
    .command('role')
    .description('Replaces the roles of a person in an organisation.')
    .argument('<email>', 'e-mail address of the person')
    .argument('<roles>', `${ROLES.join(', ')}; several with commas; none for no role`, roles)
    .requiredOption('--organisation <id>', 'the organisation', organisationId)
    .addHelpText('after', '\nExample:\n  itembank user role anna@example.org author,marker --organisation 1')
    .action(async (email: string, role: Role[], { organisation }: { organisation: number }) =>
      withPeople(async ({ people }) => {
        const person = await people.findByEmail(email);
        await people.change(person.id, { roles: new Map([[organisation, role]]) });
        const now = role.length === 0 ? 'has no role' : `is ${role.join(', ')}`;
        printLine(`${person.email} ${now} in organisation ${organisation}.`);
      }),
    );

  user
    .command('export')
    .description('Prints all data of a person, as JSON.')
    .argument('<email>', 'e-mail address of the person')
    .addHelpText('after', '\nExample:\n  itembank user export anna@example.org > anna.json')
    .action(async (email: string) =>
      withPeople(async ({ people }) => {
        const { person, identities, signIns, authors, savedViews, audit } = await people.exported(email);
        printJson({
          person: { ...view(person), created_at: iso(person.createdAt), has_password: person.hasPassword },
          identities,
          sign_ins: signIns.map(({ browser, createdAt, seenAt, confirmedAt }) => ({
            browser,
            signed_in_at: iso(createdAt),
            seen_at: iso(seenAt),
            confirmed_at: iso(confirmedAt),
          })),
          authors: authors.map(({ organisation, ...author }) => ({ organisation, ...author })),
          saved_views: savedViews.map(({ organisation, reference, screen, name, isShared, address }) => ({
            organisation,
            reference,
            screen,
            name,
            shared: isShared,
            address: JSON.parse(address) as object,
          })),
          audit: audit.map(({ id, operation, author, detail }) => ({
            time: iso(timeOf(id)),
            operation,
            author,
            detail,
          })),
        });
      }),
    );

  user
    .command('remove')
    .description('Removes an account, the sign-ins, and names and address of the author. History keeps the id.')
    .argument('<email>', 'e-mail address of the person')
    .addHelpText('after', '\nExample:\n  itembank user remove anna@example.org')
    .action(async (email: string) =>
      withPeople(async ({ people }) => {
        const person = await people.findByEmail(email);
        await people.remove(person.id);
        printLine(`The account of ${person.email} is removed.`);
      }),
    );

  user
    .command('link')
    .description('Prints a link that works once. Older links of the person stop working.')
    .argument('<email>', 'e-mail address of the person')
    .addOption(
      new Option('--for <purpose>', 'what the link does: sign in (30 minutes), or set a new password (an hour)')
        .choices(['sign-in', 'reset'])
        .default('sign-in'),
    )
    .option('--url <address>', 'address at which browsers reach the service, for the link', address)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank user link anna@example.org --for reset')
    .action(async (email: string, options: { for: Purpose; url?: string; json?: true }) =>
      withPeople(async (services) => {
        const link = await linkFor(services, await services.people.findByEmail(email), options.for, options.url);
        if (options.json) printJson(link);
        else printLink(link);
      }),
    );
}

async function withPeople(work: (services: Services) => Promise<void>): Promise<void> {
  await withServices(
    (services) =>
      work({
        people: services.get(People, { strict: false }),
        signIns: services.get(SignIns, { strict: false }),
        config: services.get(Config, { strict: false }),
      }),
    { contexts: () => [PeopleModule] },
  );
}

function roles(text: string): Role[] {
  const names = text === 'none' ? [] : text.split(',').map((part) => part.trim());
  const wrong = names.find((each) => !isRole(each));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`${JSON.stringify(wrong)} is not a role; there are ${ROLES.join(', ')}.`);
  return names as Role[];
}

async function linkFor({ signIns, config }: Services, person: Person, purpose: Purpose, url?: string) {
  const { secret, endsAt } = await signIns.newLink(person.id, purpose);
  const base = url ?? config.publicUrl ?? readCredentials(config.dataDir)?.url ?? config.ownUrl;
  return { link: `${base.replace(/\/$/, '')}/console/link#${secret}`, ends_at: iso(endsAt) };
}

function printLink({ link, ends_at: endsAt }: { link: string; ends_at: string }): void {
  printLine('');
  printLine(`  ${link}`);
  printLine('');
  printLine(`It works once, until ${endsAt}.`);
}

const view = ({ id, email, firstname, lastname, status, roles: held, signedInAt }: Person) => ({
  id,
  email,
  firstname,
  lastname,
  status,
  roles: Object.fromEntries(held),
  signed_in_at: signedInAt === null ? null : iso(signedInAt),
});
