import { packMarks, type StoredMark, unpackMarks } from './packed-marks';

describe('packed marks', () => {
  const engine: StoredMark = {
    by: 'engine',
    engine: '1.0.0',
    outcome: 'scored',
    definition: 'a'.repeat(64),
    job: 'J',
    changedAt: 5,
    revision: 1,
    scoredAt: 5,
  };
  const { job: _, ...withoutJob } = engine;

  it.each<[string, StoredMark[]]>([
    ['none', []],
    ['one', [engine]],
    ['alike but for what they were scored against', ['a', 'b', 'c'].map((each) => ({ ...engine, definition: each }))],
    ['one that lacks a member which the others have', [engine, engine, withoutJob]],
    ['one that has a member which the others lack', [withoutJob, withoutJob, engine]],
    [
      'nothing in common',
      [engine, { ...withoutJob, by: 'person', author: null, before: null, outcome: null, changedAt: 9 }],
    ],
  ])('come back as they were: %s', (_name, marks) => {
    expect(unpackMarks(packMarks(marks))).toStrictEqual(marks);
  });

  it('leave out a member that is undefined, as JSON does', () => {
    const marks = [engine, engine, { ...engine, job: undefined }];
    expect(unpackMarks(packMarks(marks))).toStrictEqual([engine, engine, withoutJob]);
  });

  it('take little room for what is alike', () => {
    const marks = Array.from({ length: 20 }, () => engine);
    expect(packMarks(marks).length).toBeLessThan(JSON.stringify(marks).length / 2);
  });
});
