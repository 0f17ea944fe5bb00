import { randomUUID } from 'node:crypto';
import { write } from './bank';
import { type Client } from './client';

/* Sessions of one essay with a given text. */

export async function writeEssayItem(client: Client): Promise<void> {
  const data = { stimulus: 'Write', validation: { max_score: 4 } };
  await write(client, {
    questions: [{ reference: 'essay', type: 'longtextV2', data }],
    items: [{ reference: 'essay', status: 'published', definition: { widgets: [{ reference: 'essay' }] } }],
  });
}

/** A request for `set sessions`. */
export async function essayRequest(client: Client, answer: unknown, more: object = {}): Promise<object> {
  const { data, meta } = await client.get('sessions/templates', { items: ['essay'] });
  if (!meta.status) throw new Error(meta.message);
  const template = data as { questions: { id: string }[] };
  const responses = [{ question_id: template.questions[0]!.id, type: 'string', value: answer }];
  const session = { session_id: randomUUID(), user_id: 'learner', activity_id: 'activity', responses, ...more };
  return { data_format: 'from_template', template, data: [session] };
}
