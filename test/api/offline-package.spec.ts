import { Readable } from 'node:stream';
import { type Grant } from '#access';
import { Files } from '#platform';
import { write } from '../support/bank';
import { ensureBuilt } from '../support/built';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { HOUR, MINUTE, SECOND } from '../support/time';
import { sha256, unzip } from '../support/unzip';
import { parseLines } from '../support/ndjson';

const PATH = 'itembank/offlinepackage';

// Jobs and packages have different contents by type, and tests access them freely.
/* eslint-disable @typescript-eslint/no-explicit-any */

describe.each(anEngine(__filename))('the offline package on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  beforeAll(async () => {
    ensureBuilt();
    await write(client, {
      questions: [
        { reference: 'q-1', type: 'mcq', data: { stimulus: 'One' } },
        { reference: 'q-2', type: 'shorttext', data: { stimulus: 'Two' } },
      ],
      features: [{ reference: 'passage', type: 'sharedpassage', data: { content: '<p>Read</p>' } }],
      items: [item('i-1', 'q-1', 'passage'), item('i-2', 'q-2', 'passage'), item('i-3', 'q-1')],
      activities: [activity('a-1', 'i-1', 'i-2')],
    });
  });
  // Everything that a test has written is in the past of its request.
  beforeEach(() => service.clock.advance(10 * SECOND));

  const item = (reference: string, ...widgets: string[]) => ({
    reference,
    title: `Title of ${reference}`,
    status: 'published',
    definition: { widgets: widgets.map((widget) => ({ reference: widget })) },
    tags: { Subject: ['Maths'], Of: [reference] },
  });
  const activity = (reference: string, ...items: (string | object)[]) => ({
    reference,
    status: 'published',
    data: { items },
    tags: { Subject: ['Maths'] },
  });

  async function ask(request: object, as = client): Promise<string> {
    const answer = await as.get(PATH, request);
    expectSuccess(answer);
    expect(answer.data).toEqual([{ job_reference: expect.any(String) }]);
    return answer.data[0].job_reference;
  }
  const jobOf = async (reference: string) =>
    (await client.get('jobs', { references: [reference] })).data[0] as Record<string, any>;
  const ended = (reference: string) => client.ended(reference);
  const download = async (address: string) => {
    const response = await fetch(address);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };
  async function packed(request: object, as = client) {
    const requestedAt = service.clock.now();
    const reference = await ask(request, as);
    // By then, all writes before the request are visible.
    service.clock.advance(2 * SECOND);
    const job = await ended(reference);
    expect(job).toMatchObject({ status: 'completed', type: 'offline-package' });
    const zip = await download(job.results.address);
    const files = await unzip(zip);
    const lines = (name: string) => parseLines(files.get(`${name}.jsonl`)!);
    const references = (name: string) => lines(name).map(({ reference }) => reference);
    return {
      job,
      requestedAt,
      zip,
      files,
      lines,
      references,
      manifest: JSON.parse(files.get('manifest.json')!.toString()),
    };
  }

  async function upload(subkey: string, content: string): Promise<string> {
    const answer = await client.get('itembank/upload/assets', { subkeys: [subkey] });
    const [{ upload: address, public: shown, content_type: type }] = answer.data;
    const put = await fetch(address, { method: 'PUT', body: content, headers: { 'Content-Type': type } });
    expect(put.status).toBe(200);
    return shown;
  }

  it('contains activities, their items and widgets, tags and a list of all files', async () => {
    const { job, requestedAt, zip, files, lines, manifest } = await packed({
      activity_references: ['a-1'],
      items: [{ reference: 'i-3' }],
    });
    expect([...files.keys()]).toEqual([
      'activities.jsonl',
      'items.jsonl',
      'questions.jsonl',
      'features.jsonl',
      'index.html',
      'player/offline.js',
      'player/activity-1.js',
      'player/activities.js',
      'tags.json',
      'manifest.json',
    ]);
    expect(lines('activities')).toMatchObject([
      { reference: 'a-1', organisation_id: 1, status: 'published', data: { items: ['i-1', 'i-2'] } },
    ]);
    expect(lines('items')).toMatchObject([
      { reference: 'i-3', title: 'Title of i-3', questions: [{ reference: 'q-1' }], tags: { Of: ['i-3'] } },
      { reference: 'i-1', features: [{ reference: 'passage' }], revision: expect.any(Number) },
      { reference: 'i-2' },
    ]);
    expect(lines('questions')).toMatchObject([
      { reference: 'q-1', type: 'mcq', data: { stimulus: 'One' } },
      { reference: 'q-2', type: 'shorttext' },
    ]);
    expect(lines('features')).toMatchObject([{ reference: 'passage', data: { content: '<p>Read</p>' } }]);
    expect(JSON.parse(files.get('tags.json')!.toString())).toEqual({
      Subject: ['Maths'],
      Of: ['i-3', 'i-1', 'i-2'],
    });
    const counts = { activities: 1, items: 3, questions: 2, features: 1, assets: 0 };
    expect(manifest).toMatchObject({
      format: 'itembank-offline-package',
      format_version: 1,
      job_reference: job.reference,
      organisation_id: 1,
      as_of: new Date(requestedAt).toISOString(),
      base_directory: '/vendor/itembank',
      counts,
      skipped: [],
      missing_assets: [],
      foreign_addresses: [],
    });
    const listed = (manifest.files as any[]).map(({ path, bytes, sha256: hash }) => [path, bytes, hash]);
    const others = [...files].filter(([path]) => path !== 'manifest.json');
    expect(listed).toEqual(others.map(([path, content]) => [path, content.length, sha256(content)]));
    expect(job.results).toEqual({
      address: expect.stringMatching(/^http/),
      expires_at: `${new Date(service.clock.now() + 60 * MINUTE).toISOString().slice(0, 19)}.000Z`,
      content_type: 'application/zip',
      bytes: zip.length,
      sha256: sha256(zip),
      as_of: manifest.as_of,
      files: 9,
      ...counts,
      skipped: 0,
      skipped_records: [],
      missing_assets: 0,
    });
    // One activity, three items, two questions and a feature.
    expect(job.progress).toEqual({ done: 7, total: 7 });
  });

  it('contains an item once, however often and by whatever name it is requested', async () => {
    const { references } = await packed({
      activity_references: ['a-1', 'a-1'],
      items: [{ id: 'any', reference: 'i-2', organisation_id: 1 }, { reference: 'i-2' }],
      item_references: ['i-2', 'i-3'],
    });
    expect([references('activities'), references('items')]).toEqual([['a-1'], ['i-2', 'i-3', 'i-1']]);
  });

  it('contains the assets, and its content names their paths in the package', async () => {
    const [png, svg] = [await upload('images/map of é.png', 'PNG'), await upload('draw.svg', '<svg/>')];
    const missing = png.replace(/[^/]+$/, 'gone.png');
    const stimulus = `<img src="${png}"> <img src="http:${svg}#icon"> <img src="${missing}"> See ${png}.`;
    await write(client, {
      questions: [
        {
          reference: 'q-pictures',
          type: 'mcq',
          data: {
            stimulus,
            image: { source: png },
            others: ['https://elsewhere.example.org/a.png', '//cdn.example.org/b.js?c=1'],
            math: '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>',
          },
        },
      ],
      items: [item('i-pictures', 'q-pictures')],
    });
    service.clock.advance(SECOND);
    const { files, lines, manifest, job } = await packed({
      item_references: ['i-pictures'],
      base_directory: 'local/bank/',
    });
    const assets = (manifest.files as any[]).filter(({ source }) => source !== undefined);
    expect(assets.map(({ source, content_type: type }) => [source, type]).sort()).toEqual(
      [
        [png, 'image/png'],
        [`http:${svg}`, 'image/svg+xml'],
      ].sort(),
    );
    const pathOf = (source: string) => assets.find((asset) => asset.source === source).path as string;
    expect(files.get(pathOf(png))!.toString()).toBe('PNG');
    expect(files.get(pathOf(`http:${svg}`))!.toString()).toBe('<svg/>');
    expect(pathOf(png)).toMatch(/^assets\/[0-9a-f]{2}\/[0-9a-f]{32}\.png$/);
    const [{ data }] = lines('questions') as [{ data: any }];
    const [at, drawn] = [`local/bank/${pathOf(png)}`, `local/bank/${pathOf(`http:${svg}`)}`];
    expect(data.image.source).toBe(at);
    expect(data.stimulus).toContain(`<img src="${at}"`);
    expect(data.stimulus).toContain(`"${drawn}#icon"`);
    expect(data.stimulus).toContain(`See ${at}.`);
    expect(data.stimulus).not.toContain('/assets/1/');
    expect(data.others).toEqual(['https://elsewhere.example.org/a.png', '//cdn.example.org/b.js?c=1']);
    expect(manifest.missing_assets).toEqual([missing]);
    expect(manifest.foreign_addresses.sort()).toEqual(
      ['https://elsewhere.example.org/a.png', '//cdn.example.org/b.js?c=1'].sort(),
    );
    expect(job.results).toMatchObject({ assets: 2, missing_assets: 1 });
  });

  it('leaves out the sources that items were imported from', async () => {
    const metadata = { acknowledgements: 'Thanks', import_source: { format: 'qti', markup: '^(secret' } };
    await write(client, { items: [{ ...item('i-imported', 'q-1'), metadata }] });
    const { files, lines } = await packed({ items: [{ reference: 'i-imported' }] });
    expect(lines('items')).toMatchObject([{ reference: 'i-imported', title: 'Title of i-imported' }]);
    expect(lines('items')[0]!.metadata).toEqual({ acknowledgements: 'Thanks' });
    for (const content of files.values()) expect(content.toString()).not.toContain('secret');
  });

  it('never contains a private file, whatever the content names', async () => {
    const files = service.get(Files);
    const secret = { area: 'private', owner: 1, key: 'secret.txt' } as const;
    await files.write(secret, Readable.from([Buffer.from('secret')]), 'text/plain');
    const base = (await files.publicAddress({ area: 'public', owner: 1, key: 'x' })).slice(0, -'/1/x'.length);
    const tries = ['1/../../private/1/secret.txt', '1/..%2f..%2fprivate%2f1%2fsecret.txt', 'private/1/secret.txt'];
    await write(client, {
      questions: [{ reference: 'q-sly', type: 'mcq', data: { tries: tries.map((path) => `${base}/${path}`) } }],
      items: [item('i-sly', 'q-sly')],
    });
    service.clock.advance(SECOND);
    const { manifest, zip } = await packed({ item_references: ['i-sly'] });
    expect(manifest.counts.assets).toBe(0);
    expect([...(await unzip(zip)).values()].some((content) => content.toString() === 'secret')).toBe(false);
  });

  it('shows the bank at the time of the request', async () => {
    await write(client, { items: [{ ...item('i-changing', 'q-1'), title: 'Before' }] });
    service.clock.advance(SECOND);
    const reference = await ask({ item_references: ['i-changing'] });
    service.clock.advance(1);
    await write(client, {
      items: [{ ...item('i-changing', 'q-2'), title: 'After', status: 'archived' }],
    });
    const files = await unzip(await download((await ended(reference)).results.address));
    expect(parseLines(files.get('items.jsonl')!)).toMatchObject([
      { title: 'Before', status: 'published', questions: [{ reference: 'q-1' }] },
    ]);
  });

  it('shows also the writes of a process whose clock is ahead', async () => {
    service.clock.advance(HOUR);
    await write(client, { items: [item('i-ahead', 'q-1')] });
    service.clock.advance(-HOUR);
    const { manifest } = await packed({ item_references: ['i-ahead'] });
    expect(manifest.counts.items).toBe(1);
    expect(manifest.skipped).toEqual([]);
  });

  it('contains only published records, and reports what was left out and why', async () => {
    await write(client, {
      items: [
        { ...item('i-draft', 'q-1'), status: 'unpublished' },
        { ...item('i-old', 'q-1'), status: 'archived' },
        item('i-good', 'q-1'),
      ],
      activities: [
        activity('a-of-draft', 'i-good', 'i-draft'),
        { ...activity('a-draft', 'i-good'), status: 'unpublished' },
      ],
    });
    service.clock.advance(SECOND);
    const { manifest, references, job } = await packed({
      activity_references: ['a-of-draft', 'a-1', 'a-draft'],
      item_references: ['i-old', 'i-3'],
    });
    expect(references('activities')).toEqual(['a-1']);
    // Items of activities that are left out are not included.
    expect(references('items')).toEqual(['i-3', 'i-1', 'i-2']);
    const skipped = [
      { kind: 'item', reference: 'i-old', organisation_id: 1, why: 'is archived' },
      { kind: 'activity', reference: 'a-of-draft', organisation_id: 1, why: 'its item i-draft is unpublished' },
      { kind: 'activity', reference: 'a-draft', organisation_id: 1, why: 'is unpublished' },
    ];
    expect(manifest.skipped).toEqual(skipped);
    expect(job.results).toMatchObject({ skipped: 3, skipped_records: skipped });
  });

  it('contains an activity without items, without a page for it', async () => {
    await write(client, { activities: [activity('a-empty')] });
    service.clock.advance(SECOND);
    const { references, files } = await packed({ activity_references: ['a-empty', 'a-1'] });
    expect(references('activities').sort()).toEqual(['a-1', 'a-empty']);
    expect([...files.keys()].filter((name) => name.includes('player/activity-'))).toEqual(['player/activity-1.js']);
    expect(files.get('player/activities.js')!.toString()).toMatch(/^(?!.*a-empty).*a-1/);
  });

  it('is empty, and says so, when nothing is published', async () => {
    await write(client, { items: [{ ...item('i-only-draft', 'q-1'), status: 'unpublished' }] });
    service.clock.advance(SECOND);
    const { files, job } = await packed({ item_references: ['i-only-draft'] });
    expect(files.get('items.jsonl')!.length).toBe(0);
    expect(job.results).toMatchObject({ items: 0, questions: 0, skipped: 1 });
  });

  it('can be written into a bank as it is', async () => {
    const both = await service.consumer({ grants: [grant(1, 'read', true), grant(2, 'write', false)] });
    const { lines } = await packed({ activity_references: ['a-1'] });
    const content = Object.fromEntries(
      ['questions', 'features', 'items', 'activities'].map((list) => [
        list,
        lines(list).map((line) => ({ ...line, organisation_id: undefined })),
      ]),
    );
    for (const [list, records] of Object.entries(content))
      expectSuccess(await both.set(`itembank/${list}`, { organisation_id: 2, [list]: records }));
    for (const list of Object.keys(content)) {
      const references = lines(list).map(({ reference }) => reference);
      const [one, two] = await Promise.all(
        [1, 2].map((organisation_id) => both.get(`itembank/${list}`, { organisation_id, references, sort: 'asc' })),
      );
      expect(two!.data).toEqual(one!.data);
    }
  });

  it('can contain hundreds of items', async () => {
    const references = Array.from({ length: 130 }, (_, index) => `many-${index}`);
    for (let from = 0; from < references.length; from += 50)
      await write(client, { items: references.slice(from, from + 50).map((reference) => item(reference, 'q-1')) });
    await write(client, { activities: [activity('a-many', ...references)] });
    service.clock.advance(SECOND);
    const found = await packed({ activity_references: ['a-many'] });
    expect(found.references('items')).toEqual(references);
    expect(found.references('questions')).toEqual(['q-1']);
  });

  describe('its address', () => {
    it('expires, and each read of the job returns a new one', async () => {
      const reference = await ask({ activity_references: ['a-1'] });
      const { results } = await ended(reference);
      service.clock.advance(Date.parse(results.expires_at as string) - service.clock.now() - 1);
      expect((await fetch(results.address)).status).toBe(200);
      service.clock.advance(1);
      expect((await fetch(results.address)).status).toBe(403);
      const again = (await jobOf(reference)).results;
      expect(again).toEqual({
        ...results,
        address: expect.not.stringMatching(results.address),
        expires_at: expect.not.stringMatching(results.expires_at),
      });
      expect(sha256(await download(again.address))).toBe(results.sha256);
    });

    it('is the only way to the file, which is always downloaded', async () => {
      const { results } = await ended(await ask({ activity_references: ['a-1'] }));
      const url = new URL(results.address as string);
      const bare = `${url.origin}${url.pathname}`;
      for (const address of [bare, `${bare}?expires=9999999999&signature=00`, bare.replace('/private', '')])
        expect([403, 404]).toContain((await fetch(address)).status);
      const response = await fetch(results.address, { headers: { Range: 'bytes=0-3' } });
      expect([response.status, Buffer.from(await response.arrayBuffer()).toString('latin1')]).toEqual([
        206,
        'PK\x03\x04',
      ]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/zip',
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      });
    });
  });

  const grant = (organisation: number, access: Grant['access'], primary: boolean): Grant => ({
    organisation,
    access,
    primary,
  });

  describe('a request for a package', () => {
    it('41008: is rejected for a consumer without the feature', async () => {
      const without = await service.consumer({ features: ['another'] });
      expectFailure(await without.get(PATH, { activity_references: ['a-1'] }), 403, 41008, /offlinepackage/);
    });

    it('40003: is rejected for a bank that is neither the primary one nor writable', async () => {
      const consumerWith = (...grants: Grant[]) => service.consumer({ grants });
      const request = { organisation_id: 1, activity_references: ['a-1'] };
      const [primary, writer, reader, stranger] = [
        await consumerWith(grant(1, 'read', true)),
        await consumerWith(grant(2, 'read', true), grant(1, 'write', false)),
        await consumerWith(grant(2, 'write', true), grant(1, 'read', false)),
        await consumerWith(grant(2, 'write', true)),
      ];
      for (const who of [primary, writer]) expectSuccess(await who.get(PATH, request));
      for (const who of [reader, stranger]) expectFailure(await who.get(PATH, request), 403, 40003);
    });

    it('40003: is rejected for items of a bank that the caller may not read, also if an activity names them', async () => {
      const both = await service.consumer({ grants: [grant(1, 'write', true), grant(2, 'write', false)] });
      const question = { reference: 'q-2', type: 'mcq', data: {} };
      expectSuccess(await both.set('itembank/questions', { organisation_id: 2, questions: [question] }));
      expectSuccess(await both.set('itembank/items', { organisation_id: 2, items: [item('foreign', 'q-2')] }));
      const foreign = { reference: 'foreign', organisation_id: 2 };
      await write(both, { activities: [activity('a-mixed', 'i-1', foreign)] });
      service.clock.advance(SECOND);
      const expectRejection = async (request: object, pointer: string) => {
        const answer = await client.get(PATH, request);
        expectFailure(answer, 403, 40003, /organisation 2/);
        expect(answer.meta.errors).toMatchObject([{ pointer }]);
      };
      await expectRejection({ items: [{ reference: 'i-1' }, foreign] }, '/items/1/reference');
      await expectRejection({ activity_references: ['a-1', 'a-mixed'] }, '/activity_references/1');
      const { lines } = await packed({ activity_references: ['a-mixed'] }, both);
      expect(lines('items')).toMatchObject([
        { reference: 'i-1', organisation_id: 1 },
        { reference: 'foreign', organisation_id: 2 },
      ]);
      // Both banks have questions with the same name.
      expect(lines('questions')).toMatchObject([
        { reference: 'q-1', organisation_id: 1 },
        { reference: 'q-2', organisation_id: 2, type: 'mcq' },
      ]);
    });

    it('20000, 20013, 30001: is rejected when it names nothing, or missing items and activities', async () => {
      const jobs = async () =>
        ((await client.get('jobs')).data as { reference: string }[]).map(({ reference }) => reference);
      const before = await jobs();
      expectFailure(await client.get(PATH, { items: [] }), 400, 20000);
      const answer = await client.get(PATH, {
        activity_references: ['a-1', 'nowhere', 'i-1'],
        items: [{ reference: 'i-1' }, { reference: 'a-1' }],
        item_references: ['none'],
      });
      expectFailure(answer, 400, 30001, /activity "nowhere"/);
      expect(answer.meta.errors!.map(({ code, pointer }) => [code, pointer])).toEqual([
        [30001, '/activity_references/1'],
        [30001, '/activity_references/2'],
        [20013, '/items/1/reference'],
        [20013, '/item_references/0'],
      ]);
      expect(await jobs()).toEqual(before);
    });

    it.each(['/a/../b', '..', '/a//b', './a'])('20004: is rejected for the directory %s', async (base_directory) => {
      const answer = await client.get(PATH, { activity_references: ['a-1'], base_directory });
      expectFailure(answer, 400, 20004, /base_directory .*right is a path such as \/vendor\/itembank/);
    });
  });
});
