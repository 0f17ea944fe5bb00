import { PackedAddresses } from './packed-addresses';

const BASE = '//media.example.org:8443/a+b';
const packing = (base = BASE, directory = '/vendor/itembank') => new PackedAddresses(base, directory);
const PATH = /^assets\/[0-9a-f]{2}\/[0-9a-f]{32}/;

describe('addresses of packed content', () => {
  it.each([
    ['without a scheme', `${BASE}/1/a.png`, 1, 'a.png'],
    ['with http', `http:${BASE}/1/a.png`, 1, 'a.png'],
    ['with https, in capitals', `HTTPS://MEDIA.example.org:8443/a+b/1/a.png`, 1, 'a.png'],
    ['of another organisation', `${BASE}/2147483647/a.png`, 2147483647, 'a.png'],
    ['encoded', `${BASE}/1/a%20b/%E5%9B%B3%27.png`, 1, "a b/図'.png"],
    ['with a full stop at the end, as they are given out', `${BASE}/1/scans/page%2E`, 1, 'scans/page.'],
    ['as a person wrote them', `${BASE}/1/図/ü.png`, 1, '図/ü.png'],
  ])('are recognised as those of the installation %s', (_, address, organisation, subkey) => {
    const addresses = packing();
    const text = JSON.stringify({ html: `<img src="${address}">`, image: address });
    const [asset] = (addresses.rewritten(text), addresses.assets);
    expect(asset).toMatchObject({ organisation, subkey, address, path: expect.stringMatching(PATH) });
    const there = `/vendor/itembank/${asset!.path}`;
    expect(addresses.rewritten(text)).toBe(JSON.stringify({ html: `<img src="${there}">`, image: there }));
    expect([addresses.assets.length, addresses.foreign]).toEqual([1, []]);
  });

  it.each([
    ['query', '?v=2', '?v=2'],
    ['fragment', '#icon', '#icon'],
    ['full stop', '.', '.'],
    ['parenthesis', ') no-repeat', ') no-repeat'],
    ['entity', '&quot;', '&quot;'],
    ['density in a srcset', ' 2x, x', ' 2x, x'],
    ['JSON escape', '\\n', '\\n'],
  ])('end before a %s', (_, tail, left) => {
    const addresses = packing();
    const text = addresses.rewritten(`"${BASE}/1/a.svg${tail}"`);
    expect(text).toBe(`"/vendor/itembank/${addresses.assets[0]!.path}${left}"`);
    expect(addresses.assets[0]!.subkey).toBe('a.svg');
  });

  it.each([
    '1/../2/secret.png',
    '1/%2e%2e/%2e%2e/private/1/x',
    '1/a//b',
    '1/a%5cb',
    '1/a%00b',
    '1/%zz',
    '1/',
    '0/a.png',
    'private/1/a.zip',
    `1/${'x'.repeat(901)}`,
  ])('stay unchanged when no asset can have them: %s', (path) => {
    const addresses = packing();
    const text = `"https:${BASE}/${path}"`;
    expect(addresses.rewritten(text)).toBe(text);
    expect(addresses.assets).toEqual([]);
  });

  it('stay unchanged when they lead elsewhere, and are listed once, unless they name a vocabulary', () => {
    const addresses = packing();
    const text = JSON.stringify([
      'See https://other.example.org/a?b=c#d, and //cdn.example.org/x.js.',
      'https://other.example.org/a?b=c#d',
      '<math xmlns=\\"http://www.w3.org/1998/Math/MathML\\">',
      '//media.example.org:8443/elsewhere/1/a.png',
      'half // of it, a//b, http:',
    ]);
    expect(addresses.rewritten(text)).toBe(text);
    expect(addresses.foreign).toEqual([
      'https://other.example.org/a?b=c#d',
      '//cdn.example.org/x.js',
      '//media.example.org:8443/elsewhere/1/a.png',
    ]);
    expect(addresses.assets).toEqual([]);
  });

  it('become paths that are unique on every file system', () => {
    const addresses = packing();
    const keys = ['a', 'a/b', 'A', 'a.png', 'A.PNG', 'a%2Fb.png', 'con', 'x'.repeat(700), 'a.', '.png', 'a.tar.gz'];
    const text = JSON.stringify([...keys.map((key) => `${BASE}/1/${key}`), `${BASE}/11/a.png`]);
    addresses.rewritten(text);
    const paths = addresses.assets.map(({ path }) => path);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    for (const path of paths) expect(path).toMatch(/^assets\/[0-9a-f]{2}\/[0-9a-f]{32}(\.[a-z0-9]{1,8})?$/);
    expect(paths.map((path) => path.slice('assets/00/'.length + 32))).toEqual(
      expect.arrayContaining(['.png', '', '.gz']),
    );
  });

  it.each([
    ['/a', '/a'],
    ['/', ''],
    ['/x/y/', '/x/y'],
    ['rel', 'rel'],
  ])('become paths below the directory "%s"', (directory, before) => {
    const addresses = packing(BASE, directory);
    expect(addresses.rewritten(`${BASE}/1/a.png`)).toBe(`${before}/${addresses.assets[0]!.path}`);
  });

  it('are found in long texts in linear time', () => {
    const addresses = packing();
    // Each would take minutes in quadratic time.
    for (const part of ['//a-a', 'http://', `${BASE}/1/`, '//a.', '%', `${BASE}/`]) {
      const text = part.repeat(300_000);
      expect(addresses.rewritten(text).length).toBeGreaterThan(0);
    }
    expect(addresses.foreign.length).toBeLessThanOrEqual(1_000);
  });
});
