import { referencesIn, write, fillPool } from '../support/bank';
import { feature, item, newReference, question, several, type WireWidget } from '../support/builders';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';
import { wrongQuestions } from '../support/wrong-questions';

interface Report {
  findings: { question: string; rule: string; pointer: string; message: string }[];
  questions: number;
  questions_with_findings: number;
}

describe.each(anEngine(__filename))('lint on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  const lint = (...args: string[]) => commandHere(['lint', ...args], service);
  const report = async (...args: string[]): Promise<Report & { code: number | null }> => {
    const { code, stdout, stderr } = await lint(...args, '--json');
    expect(stderr).toBe('');
    return { code, ...(JSON.parse(stdout) as Report) };
  };

  /** Sets the questions in batches of 50. */
  async function writeQuestions(questions: readonly WireWidget[], by = client): Promise<void> {
    for (let at = 0; at < questions.length; at += 50) await write(by, { questions: questions.slice(at, at + 50) });
  }
  /** Writes questions. One in ten has a mistake. Returns their references in the order of creation. */
  async function writeMany(count: number, by = client): Promise<{ all: string[]; wrong: string[] }> {
    const made = several(count, (index) => {
      const { data, ...rest } = question();
      const validation = { valid_response: { score: index % 10 === 9 ? 0 : 1, value: ['1'] } };
      return { ...rest, data: { ...data, validation } };
    });
    await writeQuestions(made, by);
    const all = referencesIn(made);
    return { all, wrong: all.filter((_, index) => index % 10 === 9) };
  }
  const questionsIn = ({ findings }: Report) => findings.map((finding) => finding.question);

  it('items: prints a line for each finding of every rule, and the number of findings', async () => {
    const wrong = wrongQuestions();
    const [fine, passage] = [question(), feature({ type: 'mcq', data: wrong[0]!.question.data })];
    const questions = [...wrong.map((each) => each.question), fine];
    const held = item([...referencesIn(questions), passage.reference]);
    await write(client, { questions, features: [passage], items: [held] });
    const found = wrong.map(({ rule, pointer, question: { reference } }) => ({ question: reference, rule, pointer }));

    const json = await report('items', held.reference);
    expect(json).toMatchObject({ code: 1, questions: wrong.length + 1, questions_with_findings: wrong.length });
    const byQuestion = [...json.findings].sort((a, b) => indexIn(found, a.question) - indexIn(found, b.question));
    expect(byQuestion.map(({ message, ...finding }) => ({ ...finding, isSaid: message.length > 10 }))).toEqual(
      found.map((finding) => ({ ...finding, isSaid: true })),
    );

    const { code, stdout, stderr } = await lint('items', held.reference);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.split('\n')).toEqual([
      ...json.findings.map((each) => `${each.question}: ${each.message} (${each.pointer})`),
      `${wrong.length} findings, in ${wrong.length} of ${wrong.length + 1} questions.`,
      '',
    ]);
  });

  const indexIn = (found: readonly { question: string }[], reference: string) =>
    found.findIndex((each) => each.question === reference);

  it('items: exits with 0 when there are no findings', async () => {
    const fine = question();
    const passage = feature();
    const [one, empty] = [item([fine.reference]), item([passage.reference])];
    await write(client, { questions: [fine], features: [passage], items: [one, empty] });
    expect(await lint('items', one.reference)).toEqual({ code: 0, stdout: 'No findings in 1 question.\n', stderr: '' });
    expect(await lint('items', empty.reference)).toMatchObject({ code: 0, stdout: 'No findings in 0 questions.\n' });
    expect(await report('items', one.reference, empty.reference)).toEqual({
      code: 0,
      findings: [],
      questions: 1,
      questions_with_findings: 0,
    });
  });

  it('items: checks each question once, even if several items and pages contain it', async () => {
    const { all, wrong } = await writeMany(70);
    // A page of 50 ends between the three entries of a question.
    const items = several(3, () => item(all));
    await write(client, { items });
    const json = await report('items', ...referencesIn(items), items[0]!.reference);
    expect(json).toMatchObject({ code: 1, questions: 70, questions_with_findings: 7 });
    expect(questionsIn(json)).toEqual(wrong);
  });

  it('items: checks nothing when items do not exist, and names them', async () => {
    const { question: wrong } = wrongQuestions()[0]!;
    const items = several(60, () => item([wrong.reference]));
    await write(client, { questions: [wrong] });
    for (const part of [items.slice(0, 50), items.slice(50)]) await write(client, { items: part });
    const result = await lint('items', ...referencesIn(items), 'nowhere', 'n\u0007', 'nowhere');
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: 'itembank: Organisation 1 has no item nowhere, n\\u0007; nothing was checked.\n',
    });
    const elsewhere = await lint('items', items[0]!.reference, '--organisation', '2');
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('Organisation 2 has no item item-') });
    const many = await lint('items', ...several(1001, (index) => `n-${index}`));
    expect(many).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/1001 items; name at most 1000/) });
  });

  it('items: checks the questions of a pool, over pages', async () => {
    const { all, wrong } = await writeMany(120);
    const items = [item(all.slice(0, 60)), item(all.slice(60))];
    const left = item([wrong[0]!]);
    await write(client, { items: [...items, left] });
    const pool = newReference('pool');
    await fillPool(service, pool, referencesIn(items));
    await writeQuestions(all.map((reference) => question({ reference })));

    const args = ['items', ...referencesIn(items)];
    expect(await report(...args)).toMatchObject({ code: 0, questions: 120 });
    const json = await report(...args, '--pool', pool);
    expect(json).toMatchObject({ code: 1, questions: 120, questions_with_findings: 12 });
    expect(questionsIn(json).sort()).toEqual([...wrong].sort());

    const unheld = await lint('items', left.reference, '--pool', pool);
    expect(unheld.stderr).toBe(`itembank: Item pool ${pool} has no item ${left.reference}; nothing was checked.\n`);
    const unknown = await lint(...args, '--pool', 'nowhere');
    expect(unknown).toMatchObject({ code: 2, stderr: 'itembank: There is no item pool nowhere in organisation 1.\n' });
  });

  it('bank: checks every question of an organisation, even without an item, over pages', async () => {
    const grants = [{ organisation: 2, access: 'write' as const, primary: true }];
    const neighbour = await service.consumer({ grants });
    expect(await lint('bank', '--organisation', '2')).toMatchObject({
      code: 0,
      stdout: 'No findings in 0 questions.\n',
    });
    const { wrong } = await writeMany(120, neighbour);
    await write(neighbour, { features: [feature({ type: 'mcq' })] });
    const json = await report('bank', '--organisation', '2');
    expect(json).toMatchObject({ code: 1, questions: 120, questions_with_findings: 12 });
    expect(questionsIn(json)).toEqual(wrong);
    const { stdout } = await lint('bank', '--organisation', '2');
    expect(stdout).toMatch(/\n12 findings, in 12 of 120 questions\.\n$/);
    expect(stdout.split('\n')[0]).toBe(
      `${wrong[0]}: The score is 0: give one above 0. (/data/validation/valid_response/score)`,
    );
  });

  it('prints no control characters of questions', async () => {
    const odd = question();
    const data = { ...odd.data, validation: { scoring_type: '\u001b[31m\n', valid_response: { value: ['1'] } } };
    const held = item([odd.reference]);
    await write(client, { questions: [{ ...odd, data }], items: [held] });
    const { stdout } = await lint('items', held.reference);
    expect(stdout).toContain('"\\u001b[31m\\u000a" is not a scoring type');
    expect(stdout.split('\n')).toHaveLength(3);
  });

  it.each([
    [['bank', '--organisation', '3'], /There is no organisation 3\./],
    [['bank', '--organisation', 'one'], /whole number from 1/],
    [['bank', 'item'], /too many arguments/],
    [['items'], /missing required argument 'references'/],
    [['everything'], /unknown command 'everything'/],
  ])('exits with 2 for invalid arguments: %j', async (args, message) => {
    expect(await lint(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('exits with 2 when the database is unreachable', async () => {
    const place = { settings: { ...service.settings, DATABASE_URL: 'mysql://root@127.0.0.1:1/none' } };
    const { code, stdout, stderr } = await commandHere(['lint', 'bank'], place);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/cannot be reached/)]);
  });
});
