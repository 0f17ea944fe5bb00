import { assetNameFrom, referenceFrom } from './names';

describe('a reference made of a name', () => {
  it('equals the name when the name is a valid reference', () => {
    expect(referenceFrom('choice_match-01')).toBe('choice_match-01');
  });

  it('differs for names that differ only in characters that a reference cannot hold', () => {
    const names = ['a b', 'a/b', 'a  b', 'ä b', '../a b', ' ', '', '日本', 'x'.repeat(300), `${'x'.repeat(299)}y`];
    const references = names.map(referenceFrom);
    expect(new Set(references).size).toBe(names.length);
    for (const reference of references) expect(reference).toMatch(/^[A-Za-z0-9_-]{1,150}$/);
    expect(references[0]).toMatch(/^a-b-[0-9a-f]{8}$/);
  });
});

it('names an asset by its path, with its extension and without a way out of the folder', () => {
  expect(assetNameFrom('import', 'images/sign.PNG')).toMatch(/^import\/images-sign-[0-9a-f]{8}\.png$/);
  expect(assetNameFrom('import', '../../etc/passwd')).toMatch(/^import\/etc-passwd-[0-9a-f]{8}$/);
});
