import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SystemClock } from '#kernel';
import { Client } from '../support/client';
import { commandHere } from '../support/command-line';
import { waitForCode } from './consumers';
import { itembank, json, ServiceProcess, temporaryFolders } from '../support/processes';

interface Made {
  key: string;
  secret: string;
}

const folder = temporaryFolders();

describe('administration of an embedded database', () => {
  const newPlace = () => ({ settings: { DATA_DIR: folder() } });

  it('prints no warning about the version of Node when the files are in a bucket', async () => {
    const { settings } = newPlace();
    expect((await commandHere(['migrate'], { settings })).code).toBe(0);
    const inBucket = { ...settings, ASSETS_URL: 's3://bucket?region=us-east-1' };
    const { code, stderr } = await itembank(['consumer', 'list'], { settings: inBucket });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('lists the organisations and consumers that were created', async () => {
    const place = newPlace();
    for (const args of [
      ['migrate'],
      ['organisation', 'create', '2', 'Second'],
      ['organisation', 'create', '1', 'First'],
    ])
      expect((await commandHere(args, place)).code).toBe(0);
    expect((await commandHere(['migrate'], place)).stdout).toBe('The database is up to date.\n');
    expect((await commandHere(['organisation', 'list'], place)).stdout).toBe('ID  NAME\n1   First\n2   Second\n');
    expect(await json(commandHere(['organisation', 'list', '--json'], place))).toEqual([
      { id: 1, name: 'First' },
      { id: 2, name: 'Second' },
    ]);
    const made = await json<Made>(
      commandHere(
        [
          'consumer',
          'create',
          '--organisation',
          '1',
          '--grant',
          '2:read',
          '--domain',
          'a.example',
          '--domain',
          'b.example',
          '--feature',
          'offlinepackage',
          '--legacy-signatures',
          '--json',
        ],
        place,
      ),
    );
    const { secret, ...shown } = made;
    expect(shown).toMatchObject({
      organisation: 1,
      grants: [
        { organisation: 1, access: 'write' },
        { organisation: 2, access: 'read' },
      ],
      domains: ['a.example', 'b.example'],
      features: ['offlinepackage'],
      legacy_signatures: true,
    });
    expect(secret).toMatch(/^[0-9a-f]{40}$/);
    expect(await json(commandHere(['consumer', 'list', '--json'], place))).toEqual([shown]);
  });

  it('creates a new secret, and keeps the old one valid for the requested time', async () => {
    const place = newPlace();
    const path = join(place.settings.DATA_DIR, 'credentials.json');
    const service = await ServiceProcess.listening(place);
    try {
      const first = JSON.parse(readFileSync(path, 'utf8')) as Made;
      const rotate = async (overlap: string): Promise<Made> => {
        const rotated = commandHere(['consumer', 'rotate-secret', first.key, '--overlap', overlap, '--json'], place);
        return { key: first.key, secret: (await json<Made>(rotated)).secret };
      };
      const untilCode = ({ key, secret }: Made, code: number | undefined) =>
        waitForCode(new Client(service.url, key, secret, new SystemClock()), code);
      const second = await rotate('1h');
      expect(second.secret).toMatch(/^[0-9a-f]{40}$/);
      expect(second.secret).not.toBe(first.secret);
      for (const made of [second, first]) await untilCode(made, undefined);
      const third = await rotate('0s');
      for (const made of [first, second]) await untilCode(made, 41003);
      await untilCode(third, undefined);

      // The quick start's own credentials are updated too.
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...first, secret: third.secret });
      expect((await commandHere(['call', 'itembank/tagging/tags'], place)).code).toBe(0);
    } finally {
      await service.end('SIGKILL');
    }
  });

  it.each([
    [['organisation', 'create', '1', 'Again'], /Organisation 1 exists already\./],
    [['consumer', 'create', '--organisation', '3'], /Organisation 3 does not exist; create it first\./],
    [['consumer', 'disable', 'nobody'], /There is no consumer nobody\./],
    [['consumer', 'rotate-secret', 'nobody'], /There is no consumer nobody\./],
    [['call', 'itembank/items', '--key', 'nobody'], /There is no consumer nobody\./],
    [['history', 'items', 'x', '--diff', '1', '2'], /There is no item "x" in organisation 1\./],
    [['history', 'items', 'x', '--diff', '1'], /--diff takes two revision numbers/],
  ])('rejects %j', async (args, message) => {
    const place = await sharedPlace();
    const { code, stdout, stderr } = await commandHere(args, place);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  let shared: Promise<{ settings: Record<string, string> }> | undefined;
  /** The place of a shared database that has only organisation 1. */
  function sharedPlace() {
    const make = async () => {
      const place = newPlace();
      for (const args of [['migrate'], ['organisation', 'create', '1', 'One']])
        expect((await commandHere(args, place)).code).toBe(0);
      return place;
    };
    return (shared ??= make());
  }

  it('says what to do when there is no database, and creates none', async () => {
    const place = newPlace();
    const listed = await commandHere(['consumer', 'list'], place);
    expect([listed.code, listed.stdout]).toEqual([1, '']);
    expect(listed.stderr).toMatch(
      /^itembank: There is no database \S+itembank\.sqlite\. Start the service once or run itembank migrate/,
    );
    const file = join(place.settings.DATA_DIR, 'itembank.sqlite');
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '');
    expect((await commandHere(['consumer', 'list'], place)).stderr).toMatch(/run the command migrate first/);
  });
});
