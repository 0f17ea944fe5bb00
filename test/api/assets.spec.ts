import { type Consumer } from '#access';
import { type Answer, type Client } from '../support/client';
import { anEngine, engines } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { S3Server } from '../support/s3-server';
import { serviceOfSuite, startService, TestClock, type TestService } from '../support/service';
import { stateOf } from '../support/state';
import { statementsDuring } from '../support/statements';
import { MINUTE } from '../support/time';

const PATH = 'itembank/upload/assets';

interface Upload {
  upload: string;
  public: string;
  content_type: string;
}

const several = (count: number) => Array.from({ length: count }, (_, index) => `many/${index}.png`);

async function addresses(client: Client, request: object): Promise<Upload[]> {
  const answer = await client.get(PATH, request);
  expectSuccess(answer);
  return answer.data as Upload[];
}

async function put({ upload, content_type }: Upload, content: string): Promise<number> {
  const response = await fetch(upload, {
    method: 'PUT',
    body: Buffer.from(content),
    headers: { 'Content-Type': content_type },
  });
  await response.text();
  return response.status;
}

const shown = async (upload: Upload) => {
  const response = await fetch(`http:${upload.public}`);
  return [response.status, response.headers.get('content-type'), await response.text()];
};

describe.each(anEngine(__filename))('upload addresses on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  const expectRejection = async (request: object, code: number, pointer: string, message: RegExp | string = /./) => {
    const before = await stateOf(service.database);
    const answer = await client.get(PATH, request);
    expectFailure(answer, 400, code, message);
    expect(answer.meta.errors![0]!.pointer).toBe(pointer);
    expect(await stateOf(service.database)).toBe(before);
  };

  it('accept a file, which can be read at once', async () => {
    const subkeys = ['maps/europe.png', 'sounds/bell.mp3', 'no extension'];
    const uploads = await addresses(client, { subkeys, subkey_types: { 'no extension': 'text/plain; charset=utf-8' } });
    expect(uploads.map(({ content_type }) => content_type)).toEqual([
      'image/png',
      'audio/mpeg',
      'text/plain; charset=utf-8',
    ]);
    for (const upload of uploads) {
      expect(Object.keys(upload)).toEqual(['upload', 'public', 'content_type']);
      expect(new URL(upload.upload).protocol).toBe('http:');
      expect((await shown(upload))[0]).toBe(404);
      expect(await put(upload, `first ${upload.public}`)).toBe(200);
      expect(await shown(upload)).toEqual([200, upload.content_type, `first ${upload.public}`]);
    }
    const host = service.url.replace('http:', '');
    expect(uploads.map((upload) => upload.public)).toEqual([
      `${host}/assets/1/maps/europe.png`,
      `${host}/assets/1/sounds/bell.mp3`,
      `${host}/assets/1/no%20extension`,
    ]);
    // Requested again in another order, each overwrites its own file.
    const again = await addresses(client, { subkeys: [subkeys[1], subkeys[0]] });
    expect(again.map((upload) => upload.public)).toEqual([uploads[1]!.public, uploads[0]!.public]);
    expect(await put(again[0]!, 'second')).toBe(200);
    expect((await shown(uploads[1]!))[2]).toBe('second');
    expect((await shown(uploads[0]!))[2]).toBe(`first ${uploads[0]!.public}`);
  });

  it('are valid for 60 minutes', async () => {
    const [upload] = await addresses(client, { subkeys: ['expiring.png'] });
    service.clock.advance(60 * MINUTE - 1);
    expect(await put(upload!, 'in time')).toBe(200);
    service.clock.advance(1);
    const late = await client.send(upload!.upload.replace(service.url, ''), {
      method: 'PUT',
      body: 'late',
      headers: { 'Content-Type': 'image/png' },
    });
    expectFailure(late, 403, 41003, /expired at 2026-01-02T.*; ask itembank\/upload\/assets for a new one/);
    const [next] = await addresses(client, { subkeys: ['expiring.png'] });
    expect(await put(next!, 'anew')).toBe(200);
    expect((await shown(upload!))[2]).toBe('anew');
  });

  it('get the type from the extension, in any case, unless the request has one', async () => {
    const types: Record<string, string> = {
      'a.png': 'image/png',
      'a.JPG': 'image/jpeg',
      'a.svg': 'image/svg+xml',
      'a.mp4': 'video/mp4',
      'a.webm': 'video/webm',
      'a.pdf': 'application/pdf',
      'a.css': 'text/css',
      'a.vtt': 'text/vtt',
      'a.json': 'application/json',
      'archive.tar.gz': 'application/gzip',
      png: 'application/octet-stream',
      '.png': 'application/octet-stream',
      'folder.png/file': 'application/octet-stream',
      'folder/.png': 'application/octet-stream',
      'a.': 'application/octet-stream',
      'a.unheard-of': 'application/octet-stream',
      'a.constructor': 'application/octet-stream',
      'a.png ': 'application/octet-stream',
    };
    const uploads = await addresses(client, { subkeys: Object.keys(types) });
    expect(uploads.map(({ content_type }) => content_type)).toEqual(Object.values(types));
    const given = { 'a.png': 'image/x-other', 'a.JPG': null };
    const [png, jpg] = await addresses(client, { subkeys: ['a.png', 'a.JPG'], subkey_types: given });
    expect([png!.content_type, jpg!.content_type]).toEqual(['image/x-other', 'image/jpeg']);
  });

  it('are recorded with their types and the items that use the assets, even unknown ones', async () => {
    await client.set('itembank/questions', { questions: [{ type: 'mcq', reference: 'q', data: { type: 'mcq' } }] });
    const item = { reference: 'known', definition: { widgets: [{ reference: 'q' }] } };
    expectSuccess(await client.set('itembank/items', { items: [item] }));
    const rows = () =>
      service.database.rows(
        `SELECT a.subkey, a.content_type AS type, u.item_reference AS user FROM asset a
         LEFT JOIN asset_user u ON u.organisation_id = a.organisation_id AND u.asset_id = a.id
         WHERE a.organisation_id = 1 AND a.subkey LIKE 'used/%' ORDER BY a.subkey, u.item_reference`,
      );
    const items = [{ reference: 'known' }, { id: 'x', more: [1] }, { reference: 'unknown' }, { reference: 'known' }];
    await addresses(client, { subkeys: ['used/b.png', 'used/a'], items });
    expect(await rows()).toEqual([
      { subkey: 'used/a', type: 'application/octet-stream', user: 'known' },
      { subkey: 'used/a', type: 'application/octet-stream', user: 'unknown' },
      { subkey: 'used/b.png', type: 'image/png', user: 'known' },
      { subkey: 'used/b.png', type: 'image/png', user: 'unknown' },
    ]);
    await addresses(client, { subkeys: ['used/a'], subkey_types: { 'used/a': 'image/gif' }, items: [] });
    expect((await rows()).slice(0, 2)).toEqual([
      { subkey: 'used/a', type: 'image/gif', user: 'known' },
      { subkey: 'used/a', type: 'image/gif', user: 'unknown' },
    ]);
  });

  describe('are rejected when a subkey', () => {
    it.each<[string, string, number, RegExp]>([
      ['is empty', '', 20001, /1 to 700 characters; it has 0/],
      ['has 701 characters', 'x'.repeat(701), 20001, /1 to 700 characters; it has 701/],
      ['takes 901 bytes', `${'é'.repeat(450)}x`, 20001, /900 bytes in UTF-8; it takes 901/],
      ['begins with a slash', '/a.png', 20004, /begins with a slash/],
      ['ends with a slash', 'a/', 20004, /ends with a slash/],
      ['is a slash', '/', 20004, /begins with a slash/],
      ['holds two slashes', 'a//b.png', 20004, /two slashes/],
      ['holds a backslash', 'a\\b.png', 20004, /"\\\\" \(character 2\)/],
      ['is a dot', '.', 20004, /path element \./],
      ['holds the element .', 'a/./b', 20004, /path element \./],
      ['begins with ..', '../a', 20004, /path element \.\./],
      ['holds the element ..', 'a/../b', 20004, /path element \.\./],
      ['ends in ..', 'a/..', 20004, /path element \.\./],
      ['holds NUL', 'a\0.png', 20004, /holds the character U\+0000/],
      ['holds a line break', 'a\n.png', 20004, /"\\n" \(character 2\)/],
      ['holds DEL', 'a\u007f', 20004, /character 2/],
      ['holds a C1 control', 'a\u0085b', 20004, /character 2/],
    ])('%s', async (_, subkey, code, message) => {
      await expectRejection({ subkeys: ['good.png', subkey] }, code, '/subkeys/1', message);
    });

    it('is repeated', async () => {
      await expectRejection({ subkeys: ['a', 'b', 'a'] }, 30000, '/subkeys/2', /as is subkeys\[0\]/);
      await addresses(client, { subkeys: ['a', 'A', 'a '] });
    });
  });

  describe('are rejected when a type', () => {
    it.each<[string, unknown, number]>([
      ['is not a media type', 'png', 20004],
      ['is empty', '', 20004],
      ['lacks its second half', 'image/', 20004],
      ['holds a line break', 'image/png\r\nX-Evil: 1', 20004],
      ['begins with a blank', ' image/png', 20004],
      ['ends with a blank', 'image/png ', 20004],
      ['is a list', 'image/png, text/html', 20004],
      ['has a parameter without a value', 'text/plain; charset', 20004],
      ['is not ASCII', 'image/ü', 20004],
      ['has a parameter that is not ASCII', 'text/plain; a="ü"', 20004],
      ['has 256 characters', `image/${'x'.repeat(250)}`, 20001],
      ['is a number', 7, 20003],
      ['is a list of one', ['image/png'], 20003],
    ])('%s', async (_, type, code) => {
      const request = { subkeys: ['a/b~c'], subkey_types: { 'a/b~c': type } };
      await expectRejection(request, code, '/subkey_types/a~1b~0c');
    });

    it('belongs to a subkey that is not requested', async () => {
      const request = { subkeys: ['a.png'], subkey_types: { 'a.png': 'image/png', 'A.png': 'image/png' } };
      await expectRejection(request, 20004, '/subkey_types/A.png', /not among subkeys/);
    });
  });

  it('are rejected with all faults at once', async () => {
    const { meta } = await client.get(PATH, {
      subkeys: ['ok', '../x', '', 7],
      subkey_types: 'png',
      items: [{ reference: 'a"b' }],
    });
    expect(meta.errors!.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/items/0/reference 20004',
      '/subkey_types 20003',
      '/subkeys/1 20004',
      '/subkeys/2 20001',
      '/subkeys/3 20003',
    ]);
  });

  it('need as many statements for 50 as for one, and more are rejected', async () => {
    const items = several(50).map((reference) => ({ reference }));
    const counts: number[] = [];
    for (const count of [1, 50]) {
      const request = { subkeys: several(count), items: items.slice(0, count) };
      const statements = await statementsDuring(service.database, async () => {
        expect(await addresses(client, request)).toHaveLength(count);
      });
      counts.push(statements.filter((sql) => /asset/.test(sql)).length);
    }
    expect(counts).toEqual([3, 3]);
    await expectRejection({ subkeys: several(51) }, 20002, '/subkeys');
    await expectRejection({ subkeys: ['a'], items: [...items, {}] }, 20002, '/items');
    expect(await addresses(client, { subkeys: [] })).toEqual([]);
  });

  it('can be requested by many callers at once for the same assets', async () => {
    const subkeys = several(50);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, caller) =>
        client.get(PATH, {
          subkeys: caller % 2 ? subkeys : [...subkeys].reverse(),
          items: [{ reference: `caller ${caller}` }],
        }),
      ),
    );
    for (const answer of answers) expectSuccess(answer);
    const [count] = await service.database.rows<{ users: number }>(
      `SELECT COUNT(*) AS users FROM asset_user WHERE organisation_id = 1 AND item_reference LIKE 'caller %'`,
    );
    expect(Number(count!.users)).toBe(8 * 50);
  });

  it('lead to separate files for every organisation', async () => {
    const grants: Consumer['grants'] = [{ organisation: 2, access: 'write', primary: true }];
    const other = await service.consumer({ grants });
    const [mine] = await addresses(client, { subkeys: ['same.png'] });
    const [theirs] = await addresses(other, { subkeys: ['same.png'] });
    expect(await put(mine!, 'mine')).toBe(200);
    expect((await shown(theirs!))[0]).toBe(404);
    expect(await put(theirs!, 'theirs')).toBe(200);
    expect([(await shown(mine!))[2], (await shown(theirs!))[2]]).toEqual(['mine', 'theirs']);
    // The signature of one organisation is invalid for another.
    const crossed = { ...mine!, upload: mine!.upload.replace('/assets/1/', '/assets/2/') };
    expect(await put(crossed, 'crossed')).toBe(403);
    expect((await shown(theirs!))[2]).toBe('theirs');
  });
});

describe('assets in a bucket', () => {
  const clock = new TestClock();
  const environment = { ...process.env };
  let server: S3Server;
  beforeAll(async () => {
    server = await S3Server.start('/bank/images/public/', () => clock.now());
    process.env.AWS_ACCESS_KEY_ID = server.keys.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = server.keys.secretAccessKey;
  });
  afterAll(async () => {
    process.env = environment;
    await server?.close();
  });

  const bucket = () => `s3://bank/images?region=us-east-1&path_style=true&endpoint=${server.url}`;
  const withService = async (settings: Record<string, string>, work: (service: TestService) => Promise<void>) => {
    const service = await startService(engines[0]!, settings);
    try {
      await work(service);
    } finally {
      await service.close();
    }
  };

  it('are uploaded and read directly, with the content type of the address', async () => {
    await withService({ ASSETS_URL: bucket() }, async ({ client }) => {
      const [upload] = await addresses(client, { subkeys: ['maps/a b.png'] });
      const base = `${server.url.replace('http:', '')}/bank/images/public/1`;
      expect(upload!.public).toBe(`${base}/maps/a%20b.png`);
      expect(await put(upload!, 'map')).toBe(200);
      expect(await shown(upload!)).toEqual([200, 'image/png', 'map']);
      expect(await put({ ...upload!, content_type: 'text/html' }, 'evil')).toBe(403);
      clock.advance(60 * MINUTE);
      expect(await put(upload!, 'late')).toBe(403);
      expect((await shown(upload!))[2]).toBe('map');
    });
  });

  it('are read through another host if an operator configures that', async () => {
    const settings = { ASSETS_URL: bucket(), ASSETS_PUBLIC_URL: 'https://cdn.example.org/bank/' };
    await withService(settings, async ({ client }) => {
      const [upload] = await addresses(client, { subkeys: ["it's.png"] });
      expect(upload!.public).toBe('//cdn.example.org/bank/1/it%27s.png');
      expect(upload!.upload.startsWith(`${server.url}/bank/images/public/1/it%27s.png?`)).toBe(true);
    });
  });

  it('are not also served by the service', async () => {
    await withService({ ASSETS_URL: bucket() }, async ({ client }) => {
      for (const method of ['GET', 'PUT'])
        expectFailure(await client.send('/assets/1/a.png', { method }), 404, 20012, /nothing at \/assets/);
    });
  });

  it('cannot be reached without credentials, and the answer says so', async () => {
    const { AWS_ACCESS_KEY_ID, ...others } = process.env;
    process.env = { ...others, AWS_EC2_METADATA_DISABLED: 'true', AWS_SHARED_CREDENTIALS_FILE: '/nowhere' };
    try {
      await withService({ ASSETS_URL: bucket() }, async ({ client, database }) => {
        const before = await stateOf(database);
        const answer: Answer = await client.get(PATH, { subkeys: ['a.png'] });
        expectFailure(answer, 503, 10000, /cannot sign addresses of its bucket; an operator/);
        expect(await stateOf(database)).toBe(before);
      });
    } finally {
      process.env.AWS_ACCESS_KEY_ID = AWS_ACCESS_KEY_ID;
    }
  });

  it.each([
    ['s3://bank?regoin=us-east-1', /parameter regoin; those of s3: are endpoint, path_style, region/],
    ['s3://bank?endpoint=minio:9000', /endpoint that is not of the form https:\/\/HOST/],
    ['s3://bank?path_style=yes', /path_style that is neither true nor false/],
    ['s3://bank?region=', /^ASSETS_URL has an empty region/],
    ['s3:bank', /^ASSETS_URL is not valid/],
    ['gs://bank', /^ASSETS_URL is not valid/],
  ])('are rejected at the start for %s', async (url, message) => {
    await expect(startService(engines[0]!, { ASSETS_URL: url })).rejects.toThrow(message);
  });
});
