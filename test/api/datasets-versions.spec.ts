import { type JsonObject } from '#kernel';
import { TakenSessions } from '#sessions';
import { write } from '../support/bank';
import { item, question, type WireWidget } from '../support/builders';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { answer, resultsOf, submission, submit } from '../support/submissions';

interface Option {
  option_value: string | null;
  option_label: string | null;
  is_key: boolean;
}

describe.each(anEngine(__filename))('datasets of a question that was edited, on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;

  /** The version has its own label for the option that is right in it. */
  const version = (reference: string, right: number) =>
    question({
      reference,
      data: {
        type: 'mcq',
        options: [0, 1, 2, 3, 4, 5].map((at) => ({
          label: at === right ? `right in ${right}` : String(at),
          value: String(at),
        })),
        validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [String(right)] } },
      },
    });
  const take = (reference: string, activityId: string, activityTemplateId: string | null = null) =>
    submit(service, [
      submission(`${activityId} ${activityTemplateId}`, {
        activityId,
        activityTemplateId,
        items: [{ reference, organisation: 1, time: 1, flagged: false }],
        responses: [answer(reference, reference, ['0'])],
      }),
    ]);
  async function keysIn(dataset_type: string, dataset_id: string): Promise<(string | null)[][]> {
    const { data } = await client.set('jobs/reports/datasets', { dataset_type, dataset_id });
    const { files } = (await resultsOf(service, data.job_reference)) as { files: { name: string; address: string }[] };
    const file = files.find(({ name }) => name === 'analysis.ndjson')!;
    const [, line] = (await (await fetch(file.address)).text()).split('\n');
    const { options } = JSON.parse(line!) as { options: Option[] };
    return options.filter(({ is_key }) => is_key).map((option) => [option.option_value, option.option_label]);
  }

  it('have the key of its latest version, whatever activities it was taken in', async () => {
    await write(client, { questions: [version('edited', 0)], items: [item(['edited'], { reference: 'edited' })] });
    for (const right of [0, 1, 2, 3, 4, 5]) {
      await write(client, { questions: [version('edited', right)] });
      await take('edited', `taken-${right}`);
    }
    expect(await keysIn('ibk-analysis-by-question', 'edited')).toEqual([['5', 'right in 5']]);
  });

  it('have the key of its latest version, when the activity got its reference later', async () => {
    await write(client, { questions: [version('named', 1)], items: [item(['named'], { reference: 'named' })] });
    await take('named', 'test');
    await write(client, { questions: [version('named', 2)] });
    await take('named', 'other', 'test');
    expect(await keysIn('activity-analysis-by-question', 'test')).toEqual([['2', 'right in 2']]);
  });

  it('have the key of the bank, when sessions of another server come with an earlier version', async () => {
    await write(client, { questions: [version('pulled', 3)], items: [item(['pulled'], { reference: 'pulled' })] });
    await take('pulled', 'newer', 'both');
    await service.get(TakenSessions).store([takenWith(version('pulled', 4))], OPTIONS, {
      shelf: { organisation: 1 },
      operation: 'set sessions',
      readable: new Set([1]),
    });
    expect(await keysIn('activity-analysis-by-question', 'both')).toEqual([['3', 'right in 3']]);
  });
});

const OPTIONS = {
  onCollision: 'fail' as const,
  apply: true,
  planned: new Set<string>(),
  erased: () => Promise.resolve(new Set<string>()),
};

/** A session of the activity `both` with an item of this question. */
const takenWith = ({ reference, data }: WireWidget): Parameters<TakenSessions['store']>[0][number] => ({
  sessionId: 'taken over',
  userId: 'learner',
  activityId: 'both',
  activityTemplateId: null,
  status: 'Completed',
  startedAt: Date.UTC(2026, 0, 1),
  completedAt: Date.UTC(2026, 0, 1, 1),
  score: 0,
  maxScore: 1,
  items: [
    {
      reference,
      time: 1,
      flagged: false,
      scoringType: 'per-question',
      responses: [
        {
          responseId: 'taken over',
          type: 'mcq',
          response: { value: ['0'], type: 'array', revision: 1 },
          attempted: true,
          automarkable: true,
          score: 0,
          maxScore: 1,
          manualScore: null,
          maxManualScore: null,
          scoredAt: null,
          question: reference,
          asked: { hash: '0'.repeat(64), definition: { type: 'mcq', ...(data as JsonObject) } },
          mark: { by: 'engine', engine: null, outcome: null, author: null, before: null, changedAt: 0 },
        },
      ],
    },
  ],
  subscores: null,
  metadata: {},
  tags: [],
  adaptive: null,
  customState: null,
});
