import { type Mark } from '../domain/session';
import { packMarks, type StoredMark, unpackMarks } from './packed-marks';

describe('packed marks', () => {
  const engine: Mark = {
    by: 'engine',
    engine: '1.0.0',
    outcome: 'scored',
    definition: 'a'.repeat(64),
    job: 'J',
    changedAt: 5,
  };
  const { job: _, ...withoutJob } = engine;
  const stored = (mark: Mark, revision = 1, scoredAt: number | null = 5): StoredMark => ({ mark, revision, scoredAt });

  it.each<[string, StoredMark[]]>([
    ['none', []],
    ['one', [stored(engine)]],
    [
      'that differ only in the document by which they were scored',
      ['a', 'b', 'c'].map((each) => stored({ ...engine, definition: each })),
    ],
    ['one that lacks a member which the others have', [stored(engine), stored(engine), stored(withoutJob)]],
    ['one that has a member which the others lack', [stored(withoutJob), stored(withoutJob), stored(engine)]],
    ['of several revisions and times', [stored(engine, 2, null), stored(engine), stored(engine, 3, 9)]],
    [
      'nothing in common',
      [
        stored(engine),
        stored({ ...withoutJob, by: 'person', author: null, before: null, outcome: null, changedAt: 9 }, 2, null),
      ],
    ],
  ])('are restored exactly: %s', (_name, marks) => {
    expect(unpackMarks(packMarks(marks))).toStrictEqual(marks);
  });

  it('come back without members that are undefined, as from JSON', () => {
    const marks = [engine, engine, { ...engine, job: undefined }].map((mark) => stored(mark));
    expect(unpackMarks(packMarks(marks))).toStrictEqual([engine, engine, withoutJob].map((mark) => stored(mark)));
  });

  it('are read in the former format too, in which the revision and the time are members', () => {
    const text = `{"common":{"by":null,"job":"J","revision":1,"scoredAt":5},"each":[{"definition":"a","job":[]},{"definition":"b","scoredAt":null}]}`;
    expect(unpackMarks(text)).toStrictEqual([
      { mark: { by: null, definition: 'a' }, revision: 1, scoredAt: 5 },
      { mark: { by: null, job: 'J', definition: 'b' }, revision: 1, scoredAt: null },
    ]);
  });

  it('take less than half the space of JSON when they are equal', () => {
    const marks = Array.from({ length: 20 }, () => stored(engine));
    expect(packMarks(marks).length).toBeLessThan(JSON.stringify(marks).length / 2);
  });
});
