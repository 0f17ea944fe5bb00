import { type IncomingMessage, request } from 'node:http';
import { newId } from '#kernel';
import { ROLES } from '#people';
import { Verifications } from '#platform';
import { type Browser, signedIn } from '../support/browser';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';
import { signal } from '../support/signal';
import { wholeSession, writeSessionBank } from '../support/session-bank';
import { submit } from '../support/submissions';
import { until } from '../support/until';
import { parseLines } from '../support/ndjson';

/** A number of findings for which the answer waits for its reader many times. */
const MANY = 5_000;

describe.each(anEngine(__filename))('operators and the verification on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  let operator: Browser;
  beforeAll(async () => {
    await writeSessionBank(service.client);
    await submit(service, [wholeSession('whole')]);
    ({ browser: operator } = await signedIn(service, ['operator']));
  });

  const send = (organisation: unknown = 1, by = operator) =>
    by.send('POST', `/console/verifications/${String(organisation)}`, {});
  const linesOf = (text: string) => parseLines<{ record: string; [member: string]: unknown }>(text);

  it('see each check with its rows, no findings in correct data, and the end', async () => {
    const { status, headers, text } = await send();
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const lines = linesOf(text);
    expect(lines.filter(({ record }) => record === 'finding')).toEqual([]);
    const done = lines.filter(({ record, is_done: isDone }) => record === 'progress' && isDone);
    expect(done.map(({ check }) => check)).toEqual(expect.arrayContaining(['documents', 'sessions']));
    const rows = done.reduce((sum, { rows: checked }) => sum + Number(checked), 0);
    expect(rows).toBeGreaterThan(10);
    expect(lines.at(-1)).toEqual({ record: 'end', rows });
  });

  it('see what is damaged, and what is expected instead', async () => {
    await service.database.write(`UPDATE session SET score = score + 1 WHERE session_id = 'whole'`);
    const lines = linesOf((await send()).text);
    expect(lines.filter(({ record }) => record === 'finding')).toEqual([
      {
        record: 'finding',
        kind: 'session',
        reference: 'whole',
        found: expect.any(String),
        expected: expect.any(String),
      },
    ]);
    expect(lines.at(-1)).toMatchObject({ record: 'end' });
  });

  it('cannot start a second run beside another, which ends when its reader leaves', async () => {
    const { cookies, csrf } = operator;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const begun = await new Promise<IncomingMessage>((resolve, reject) =>
      request(`${service.url}/console/verifications/1`, {
        method: 'POST',
        headers: { Origin: service.url, Cookie: cookie, 'X-CSRF-Token': csrf, 'Content-Type': 'application/json' },
      })
        .on('response', resolve)
        .on('error', reject)
        .end('{}'),
    );
    begun.destroy();
    await until(async () => (await send()).status === 200);
    const over = signal();
    const findings = jest.spyOn(service.get(Verifications), 'findings').mockImplementationOnce(async function* () {
      await over.promise;
    });
    const first = send();
    await until(async () => findings.mock.calls.length > 0);
    expect((await send()).status).toBe(409);
    over.give();
    expect((await first).status).toBe(200);
  });

  it('see thousands of findings, without a further event listener for each', async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on('warning', warned);
    try {
      const name = (index: number) => `${index} `.padEnd(200, 'x');
      await service.database.insert(
        'tag',
        ['organisation_id', 'id', 'tag_type_id', 'name', 'name_key', 'updated_at', 'successor_id'],
        Array.from({ length: MANY }, (_, index) => {
          const id = newId(service.clock.now());
          return [2, id, id, name(index), name(index), 0, id];
        }),
      );
      const { browser } = await signedIn(service, { 2: ['operator'] });
      const lines = linesOf((await send(2, browser)).text);
      expect(lines.filter(({ record }) => record === 'finding')).toHaveLength(MANY);
      expect(lines.at(-1)).toMatchObject({ record: 'end' });
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', warned);
    }
  });

  it.each([...ROLES.filter((role) => role !== 'operator'), 'operator elsewhere'] as const)(
    'is refused to a %s',
    async (role) => {
      const { browser } = await signedIn(service, role === 'operator elsewhere' ? { 2: ['operator'] } : [role]);
      for (const organisation of [1, 99, 'x']) expect((await send(organisation, browser)).status).toBe(403);
    },
  );
});
