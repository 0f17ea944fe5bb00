import { type Role } from '#people';
import { declarationOf, spellWhen } from '../../apps/api/src/declaration/operation';
import { operations } from '../../apps/api/src/operations';
import { type Browser, signedIn } from '../support/browser';
import { anEngine } from '../support/engines';
import { goodRequest, provisionGoodRequests, seedGoodRequests } from '../support/good-requests';
import { serviceOfSuite, startService } from '../support/service';

/** V viewer, A author, R reviewer, M marker, N analyst, O operator. */
const LETTERS: Record<string, Role> = {
  V: 'viewer',
  A: 'author',
  R: 'reviewer',
  M: 'marker',
  N: 'analyst',
  O: 'operator',
};

/** The roles that may call each operation. A new operation needs a line here, and a role that may call it. */
const MAY: Record<string, string> = {
  'get itembank/activities': 'VARMNO',
  'get itembank/activities/templates': 'VARMNO',
  'get itembank/audit': 'ARNO',
  'get itembank/exports': 'O',
  'get itembank/features': 'VARMNO',
  'get itembank/imports': 'O',
  'get itembank/history': 'ARNO',
  'get itembank/history/diff': 'ARNO',
  'get itembank/items': 'VARMNO',
  'get itembank/offlinepackage': 'O',
  'get itembank/playertemplates': 'VARMNO',
  'get itembank/pools': 'VARMNO',
  'get itembank/pools/changes': 'VARMNO',
  'get itembank/pools/fills': 'VARMNO',
  'get itembank/questions': 'VARMNO',
  'get itembank/facets': 'VARMNO',
  'get itembank/warnings': 'AO',
  'get itembank/views': 'VARMNO',
  'set itembank/views': 'VARMNO',
  'update itembank/views': 'VARMNO',
  'get itembank/search': 'VARMNO',
  'get itembank/tagging/hierarchies': 'VARMNO',
  'get itembank/tagging/hierarchies/nodes': 'VARMNO',
  'get itembank/tagging/tags': 'VARMNO',
  'get itembank/tags': 'VARMNO',
  'get itembank/upload/assets': 'AO',
  'get itembank/upload/imports': 'O',
  'get itembank/workflows': 'VARMNO',
  'get jobs': 'ARMNO',
  'get jobs/sessions/scores/subscores': 'O',
  'get scoring': 'ARMNO',
  'get sessions/marking/marks': 'NO',
  'get sessions/marking/questions': 'NO',
  'get sessions/marking/queue': 'MO',
  'get sessions/marking/rounds': 'MNO',
  'get sessions/metadata': 'MNO',
  'get sessions/reports/adaptive': 'NO',
  'get sessions/responses': 'MNO',
  'get sessions/responses/scores': 'MNO',
  'get sessions/scores': 'MNO',
  'get sessions/statuses': 'MNO',
  'get sessions/templates': 'O',
  'set itembank/activities': 'AO',
  'set itembank/activities/duplicate': 'AO',
  'set itembank/activities/tags': 'AO',
  'set itembank/exports': 'O',
  'set itembank/features': 'AO',
  'set itembank/imports': 'O',
  'set itembank/imports/apply': 'O',
  'set itembank/imports/revert': 'O',
  'set itembank/features/duplicate': 'AO',
  'set itembank/history/restore': 'ARO',
  'set itembank/items': 'ARO',
  'set itembank/items/duplicate': 'AO',
  'set itembank/items/tags': 'ARO',
  'set itembank/pools': 'O',
  'set itembank/questions': 'AO',
  'set itembank/questions/duplicate': 'AO',
  'set itembank/tagging/hierarchies': 'AO',
  'set itembank/tagging/tags': 'AO',
  'update itembank/tagging/tags': 'AO',
  'set itembank/tags': 'AO',
  'set itembank/workflows': 'O',
  'set jobs/reports/datasets': 'NO',
  'set jobs/sessions/metadata': 'O',
  'set sessions': 'O',
  'set sessions/marking/marks': 'MO',
  'set sessions/marking/queue': 'MO',
  'set sessions/marking/rounds': 'NO',
  'update itembank/activities/tags': 'AO',
  'update itembank/items/tags': 'ARO',
  'update itembank/pools': 'O',
  'update jobs': 'O',
  'update jobs/sessions/statuses': 'O',
  'update sessions/item': 'O',
  'update sessions/marking/marks': 'MO',
  'update sessions/marking/rounds': 'NO',
  'update sessions/responses/scores': 'MO',
};

const declarations = operations.map(declarationOf);
const nameOf = ({ action, path }: { action: string; path: string }) => `${action} ${path}`;

it('the table names every operation, and nothing else', () => {
  expect(Object.keys(MAY).sort()).toEqual([...new Set(declarations.map(nameOf))].sort());
});

describe.each(anEngine(__filename))('the roles on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const browsers = new Map<string, Browser>();
  beforeAll(async () => {
    await seedGoodRequests(service.client);
    await provisionGoodRequests(service);
    for (const [letter, role] of Object.entries(LETTERS))
      browsers.set(letter, (await signedIn(service, [role])).browser);
    browsers.set('nobody', (await signedIn(service, { 2: ['operator'] })).browser);
  });

  it.each(declarations.map((each) => [`${nameOf(each)}${each.when ? ` ${spellWhen(each.when)}` : ''}`, each] as const))(
    'only the roles of the table may call %s',
    async (_, declaration) => {
      const { action, path, when } = declaration;
      const request = goodRequest(action, path, 1, when && spellWhen(when));
      for (const [letter, role] of Object.entries(LETTERS)) {
        const { status, meta } = await browsers.get(letter)!.call(path, action, request);
        const wanted = MAY[nameOf(declaration)]!.includes(letter);
        expect([role, wanted, status < 500]).toEqual([role, meta.code !== 40003, true]);
        if (!wanted) expect(status).toBe(403);
      }
    },
  );

  it.each(declarations.map((each) => [nameOf(each), each] as const))(
    '%s is refused to an operator of another organisation',
    async (_, { action, path, when, input }) => {
      const request = { ...goodRequest(action, path, 1, when && spellWhen(when)), organisation_id: 1 };
      const { status, meta } = await browsers.get('nobody')!.call(path, action, request);
      // The few operations that concern no bank have no such member.
      if ('organisation_id' in input.properties) expect([status, meta.code]).toEqual([403, 40003]);
      else expect(status).toBeLessThan(500);
    },
  );

  it('the service tells the console exactly the operations of the table', async () => {
    for (const [letter, role] of Object.entries(LETTERS)) {
      const { body } = await browsers.get(letter)!.readSession();
      const wanted = Object.keys(MAY).filter((operation) => MAY[operation]!.includes(letter));
      expect(body.organisations).toEqual([{ id: 1, name: 'Organisation 1', roles: [role], operations: wanted.sort() }]);
    }
  });
});
