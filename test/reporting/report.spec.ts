import { type Analysis } from '../../libs/reporting/src/domain/analysis/figures';
import { analysisReport } from '../../libs/reporting/src/application/report/analysis-report';
import { csvOf } from '../../libs/reporting/src/application/texts';
import { QUESTION } from '../../libs/reporting/src/application/columns';
import { type Target } from '../../libs/reporting/src/application/targets';
import { analysed, answered, choices, scored } from './analysed';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</svg><svg onload=alert(1)>',
  '</style><script>x</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '${x}{{x}}<%=x%>',
  '\u0000\u001b<b>bold</b>',
  `${'long &amp; '.repeat(100)}end`,
];

/** A session in which the learner chose this option. All texts of the question are hostile. */
const taking = (at: number, score: number) => [
  answered(0, {
    item: HOSTILE[0],
    question: HOSTILE[1],
    type: HOSTILE[2],
    value: [String(at)],
    score,
    choices: offered,
  }),
];
const offered = choices('mcq', { options: HOSTILE.map((label, index) => ({ label, value: String(index) })) });

async function pageOf(analysis: Analysis, target: Partial<Target> = {}, language: 'de' | 'en' = 'en'): Promise<string> {
  const pieces: Buffer[] = [];
  const whole: Target = { organisation: 1, type: 'activity-analysis-by-question', id: 'x', ...target };
  for await (const piece of analysisReport(whole, analysis, Date.UTC(2026, 0, 2), language)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** The names of all elements, and of all their attributes. */
function markupOf(page: string): { elements: Set<string>; attributes: Set<string> } {
  const tags = [...page.matchAll(/<([a-z][a-z0-9-]*)((?:\s+[^\s=>"']+(?:="[^"]*")?)*)\s*\/?>/gi)];
  const attributes = tags.flatMap(([, , list]) =>
    [...list!.matchAll(/\s([^\s=>"']+)(?:=|$|\s)/g)].map(([, name]) => name!),
  );
  return { elements: new Set(tags.map(([, name]) => name!)), attributes: new Set(attributes) };
}

describe('the report of an analysis', () => {
  it('contains only its own markup, whatever the texts are', async () => {
    const sessions = HOSTILE.map((_, at) => taking(at, at === 0 ? 1 : 0));
    const page = await pageOf(analysed(sessions), { id: HOSTILE.join() });
    const harmless = await pageOf(
      analysed(
        sessions.map(([answer]) => [{ ...answer!, item: 'i', question: 'q', type: 't', choices: plainChoices }]),
      ),
    );
    expect(markupOf(page)).toEqual(markupOf(harmless));
    expect(page.match(/</g)!.length).toBe(harmless.match(/</g)!.length);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');

    expect(/[\u0000\u001b]/.test(page)).toBe(false);
    expect(page).toMatch(/(long &amp; )+[a-z &;]*…/);
  });
  const plainChoices = choices('mcq', {
    options: HOSTILE.map((_, index) => ({ label: `Label ${index}`, value: String(index) })),
  });

  it('plots totals, questions and the options of each place', async () => {
    const matrix = choices('choicematrix', { stems: ['s', 't'], options: ['True', 'False'] });
    const session = (score: number) => [
      answered(0, { type: 'choicematrix', score, value: [[0], [1]], choices: matrix }),
    ];
    const page = await pageOf(analysed([0, 0.25, 0.5, 0.75, 1].map(session)));
    expect(page.match(/<svg /g)).toHaveLength(4);
    expect([page.includes('Place 1'), page.includes('Place 2'), page.includes('Place 3')]).toEqual([true, true, false]);
  });

  it('names no maximum of the total when sessions have different ones', async () => {
    const different = analysed([scored([1]), scored([1, 0])]);
    expect(await pageOf(different)).toContain('<td>1.00 points, 75.0 %</td>');
    expect(await pageOf(different, {}, 'de')).toContain('<td>1,00 Punkte, 75,0 %</td>');
    const one = await pageOf(analysed([scored([1, 0])]));
    expect(one).toContain('<td>1.00 of 2.00 points, 50.0 %</td>');
    // Of one session, neither the deviation nor the error is defined.
    expect(one).not.toContain('– points');
  });

  it('says how many attempts wait for a score', async () => {
    const page = await pageOf(analysed([1, 0, null, null, null].map((score) => [answered(0, { score })])));
    expect(page).toMatch(/<th[^>]*>n<\/th><th[^>]*>Omitted<\/th><th[^>]*>Unscored<\/th>/);
    expect(page).toMatch(/<td[^>]*>2<\/td><td[^>]*>0<\/td><td[^>]*>3<\/td>/);
  });

  it('says in how many sessions answers wait for a score, because their totals and alpha are without them', async () => {
    const note = 'In 1 of these sessions, answers wait for a score.';
    const all = [scored([1, 1, 1]), scored([0, 0, 1]), scored([0, 0, 0])];
    expect(await pageOf(analysed([...all, scored([1, null, 1])]))).toContain(note);
    expect(await pageOf(analysed(all))).not.toContain('answers wait for a score');
  });

  it('plots no traces with fewer than five sessions, and nothing without sessions', async () => {
    const four = await pageOf(analysed([taking(0, 1), taking(1, 0), taking(1, 0), taking(1, 0)]));
    expect(four).toContain('Made on 2 Jan 2026, 00:00 UTC. ');
    expect(four.match(/<svg /g)).toHaveLength(2);
    const none = await pageOf(analysed([]));
    expect(none).not.toContain('<svg ');
    expect(none).toMatch(/<\/html>\n$/);
    for (const page of [four, none]) expect(page.match(/NaN|Infinity|undefined|null/)).toBeNull();
  });

  it('has German texts, decimal commas and plots when German is chosen', async () => {
    const sessions = [1, 0, 0, 0, 0].map((score, at) => taking(at, score));
    const page = await pageOf(analysed(sessions), {}, 'de');
    expect(page).toContain('Erstellt am 02.01.2026, 00:00 UTC. ');
    expect(page).toContain('<html lang="de"');
    for (const text of [
      'Analyse einer Aktivität',
      'Trennschärfe',
      'Sitzungen nach Gesamtpunktzahl',
      'oberstes Fünftel',
      '0,20 von 1,00 Punkten',
    ])
      expect(page).toContain(text);
    expect(page).not.toMatch(/Analysis|Discrimination|Sessions|Share|fifth|Question/);
  });

  it('has decimal commas in its plots too', async () => {
    const seven = [1, 2, 3, 4, 5, 6, 7];
    const sessions = [...seven, 0].map((right) =>
      seven.map((each, at) => answered(at, { score: each <= right ? 1 : 0 })),
    );
    const page = await pageOf(analysed(sessions), {}, 'de');
    const texts = [...page.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    expect(texts).toEqual(expect.arrayContaining(['14,3–28,6', '0,2']));
    expect(texts.filter((text) => text!.includes('.'))).toEqual([]);
  });

  it('plots every question, even one beyond the usual figures because of deductions or extra points', async () => {
    const session = (deducted: number, extra: number, usual: number) =>
      [deducted, extra, usual].map((score, at) => answered(at, { score }));
    const analysis = analysed([session(1, 2, 1), session(1, 2, 0), session(-1, 1, 0), session(-1, 1, 0)]);
    expect(analysis.questions.map(({ difficulty, discrimination }) => [difficulty, discrimination])).toEqual([
      [0, 2],
      [1.5, 1],
      [0.25, 1],
    ]);
    const plot = (await pageOf(analysis)).match(/<svg [^]*?<\/svg>/g)![1]!;
    expect(plot.match(/ecmeta_data_index="\d+"/g)).toHaveLength(3);
  });

  it('has no minus before a figure that is rounded to zero', async () => {
    const analysis = analysed([taking(0, 1), taking(1, 0)]);
    analysis.questions[0]!.pointBiserial = -0.0001;
    const page = await pageOf(analysis);
    expect(page).toContain('<td>0.000</td>');
    expect(page).not.toContain('-0.000');
  });

  it('limits the number of plots; the tables in other files are complete', async () => {
    const many = Array.from({ length: 210 }, (_, place) => answered(place, { value: ['0'], choices: plainChoices }));
    const session = (score: number) => many.map((each, place) => (place === 0 ? { ...each, score } : each));
    const page = await pageOf(analysed([0, 0.2, 0.4, 0.6, 0.8].map(session)));
    expect(page.match(/<svg /g)).toHaveLength(202);
    expect(page).toContain('are in options.csv');
    const [links, targets] = [/href="#(\w+)"/g, /<section id="(\w+)"/g].map((each) =>
      [...page.matchAll(each)].map(([, id]) => id),
    );
    expect(links).toEqual(targets);
  });
});

describe('CSV', () => {
  const textOf = (values: Analysis['questions']) => Buffer.concat([...csvOf(QUESTION, values)]).toString();

  it('has only a header when there is no data', () => {
    expect(textOf([])).toBe(`${Object.keys(QUESTION).join()}\r\n`);
  });

  it('keeps negative numbers unchanged, and prevents texts from running as formulas', () => {
    const session = (one: number, other: number) => [
      answered(0, { item: '-1', question: '=1', type: '\t=1', score: one }),
      answered(1, { score: other, maxScore: 5 }),
    ];
    const [, line] = textOf(analysed([session(1, 0), session(0, 5)]).questions).split('\r\n');
    const cells = line!.split(',');
    expect(cells.slice(0, 5)).toEqual(['1', "'-1", "'=1", '1', "'\t=1"]);
    // Each session has only one of the two questions right.
    expect(cells[Object.keys(QUESTION).indexOf('point_biserial')]).toBe('-1');
  });
});
