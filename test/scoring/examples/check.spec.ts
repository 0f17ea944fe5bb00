import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '#kernel';
import { question } from '../cases';
import { checkFolder } from './check';

describe('the check of a folder of questions', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'questions-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const check = (content: Json) => {
    writeFileSync(join(folder, 'some.json'), JSON.stringify(content));
    return checkFolder(folder);
  };

  it.each([
    ['mcq', question('mcq', ['0'], { score: 2 }), 2],
    ['orderlist', question('orderlist', [1, 0], { scoring_type: 'partialMatch' }), 2],
    ['choicematrix', question('choicematrix', [[0, 1], [2]], { scoring_type: 'partialMatch' }), 3],
    ['shorttext', question('shorttext', 'a', { alt_responses: [{ score: '3', value: 'b' }] }), 3],
    ['simpleshading', question('simpleshading', { method: 'byCount', value: 3 }), 1],
    ['numberline', question('numberline', [{ point: 'a', position: 1 }]), 1],
    ['formulaV2', question('formulaV2', [{ method: 'equivLiteral', value: '1/2' }]), 1],
    ['classification', question('classification', [[0], [1]], { scoring_type: 'partialMatch', score: 3 }), 6],
  ])('%s passes', (type, definition, maximum) => {
    expect(check(definition)).toEqual({ lines: [`some.json: ${type}: of ${maximum}`], checked: 1, failed: 0 });
  });

  it('finds questions in items and lists', () => {
    const data = question('mcq', ['0']);
    expect(check({ data: [{ questions: [{ reference: 'a', data }, { data }] }] })).toMatchObject({
      checked: 2,
      failed: 0,
    });
  });

  it('distinguishes questions without a key from questions of types without scoring', () => {
    const { lines, failed } = check([question('association', [null]), question('chemistry', ['x'])]);
    expect([lines, failed]).toEqual([
      [
        'some.json: association: no key (no-answer at /validation/valid_response/value)',
        'some.json: chemistry: type-not-scored',
      ],
      0,
    ]);
  });

  it('fails a question that gives points to a wrong response', () => {
    const { lines, failed } = check(question('mcq', ['0'], { min_score_if_attempted: 0.5 }));
    expect([lines, failed]).toEqual([['some.json: mcq: wrong response: 0.5 in place of 0'], 1]);
  });
});
