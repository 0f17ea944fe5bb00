import { formerQuestion, PinnedContent } from '#content';
import { UnitOfWork } from '#kernel';
import { ResponseScoring } from '#sessions';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';

const LARGE = 1_000_000;
const MANY = 40;

describe.each(anEngine(__filename))('the memory for questions that were scored on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));

  it('keeps the latest questions, and forgets earlier ones when they are large', async () => {
    const [content, scoring] = [service.get(PinnedContent), service.get(ResponseScoring)];
    const documents = Array.from({ length: MANY }, (_, index) =>
      formerQuestion({ type: 'shorttext', stimulus: String(index).padEnd(LARGE, 'x') }),
    );
    const questions = documents.map(({ document, hash }) => ({
      questionId: document,
      reference: document,
      type: 'shorttext',
      document,
      organisation: 1,
      hash,
      automarkable: false,
      maxScore: 0,
    }));
    for (const each of documents) await service.get(UnitOfWork).run(() => content.keep(1, [each]));
    for (const each of questions) await scoring.prepare([each]);

    const read = jest.spyOn(content, 'documents');
    await scoring.prepare(questions.slice(-5));
    expect(read).not.toHaveBeenCalled();
    await scoring.prepare(questions.slice(0, 1));
    expect(read).toHaveBeenCalledWith(1, [questions[0]!.document]);
  });
});
