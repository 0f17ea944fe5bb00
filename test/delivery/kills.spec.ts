import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '#kernel';
import { Client } from '../support/client';
import { anEngine } from '../support/engines';
import { callPage, signedStart, TestPage } from '../support/page';
import { ServiceProcess, type Settings, temporaryFolders } from '../support/processes';
import { startService, type TestService } from '../support/service';
import { writeSessionBank } from '../support/session-bank';

// Sessions differ by type, so the tests read them untyped.
/* eslint-disable @typescript-eslint/no-explicit-any */

const PAGES = 50;
const KILLS = 3;
const folder = temporaryFolders();

describe.each(anEngine(__filename))('kill -9 of the service while pages save, on %s', (engine) => {
  let behind: TestService;
  let api: ServiceProcess;
  let settings: Settings;
  beforeAll(async () => {
    behind = await startService(engine);
    await writeSessionBank(behind.client);
    settings = { ...behind.settings, DATA_DIR: folder() };
    api = await ServiceProcess.listening({ settings });
  });
  afterAll(async () => {
    await api?.end('SIGKILL');
    await behind?.close();
  });

  it('loses no acknowledged save and stores none twice', async () => {
    const { key, secret } = behind.client;
    const clock = new SystemClock();
    const begun = await Promise.all(
      Array.from({ length: PAGES }, async (_, index) => {
        const request = TestPage.request({ user_id: `learner-${index}`, items: ['i-1', 'i-2'] });
        const answer = await callPage(api.url, 'sessions', signedStart(behind.client, clock.now(), request));
        expect(answer.status).toBe(200);
        return answer.body;
      }),
    );
    let isOver = false;
    /** False while the service is killed: another program may then get its port, and answer. */
    let isUp = true;
    /** Saves increasing numbers, and repeats a save until some process acknowledges it. */
    const save = async (started: any): Promise<number> => {
      const essay = started.items[1].questions[0].response_id;
      let acknowledged = 0;
      // A slow machine gets the time that it needs for three saves of each page.
      while (!isOver || acknowledged < 3) {
        const number = acknowledged + 1;
        const response = { value: `save ${number}`, type: 'string', revision: number };
        const body = { save_number: number, responses: { [essay]: response } };
        const sentTo = api;
        try {
          const answer = await callPage(api.url, 'sessions/current/responses', body, {
            method: 'PUT',
            token: started.token,
          });
          // Repeats a refused save after a pause, as a page does.
          if (answer.status === 429 || answer.status === 503) await sleep(300);
          else if (answer.status === 200 || (isUp && sentTo === api)) {
            expect([answer.status, answer.body.save_number]).toEqual([200, number]);
            acknowledged = number;
          }
        } catch (error) {
          if ((error as Error).name === 'JestAssertionError' || 'matcherResult' in (error as object)) throw error;
        }
        await sleep(120);
      }
      return acknowledged;
    };
    const saving = begun.map(save);
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(700);
      isUp = false;
      await api.end('SIGKILL');
      api = await ServiceProcess.listening({ settings });
      isUp = true;
    }
    await sleep(700);
    isOver = true;
    const acknowledged = await Promise.all(saving);
    const client = new Client(api.url, key, secret, clock);
    const ids = begun.map(({ session }) => session.session_id);
    const sessions: any[] = (await client.get('sessions/responses', { session_id: ids })).data;
    expect(sessions).toHaveLength(PAGES);
    for (const [index, id] of ids.entries()) {
      const stored = sessions.find(({ session_id }) => session_id === id);
      const number = Number(stored.responses[2].response.value.split(' ')[1]);
      const lastSent = acknowledged[index]! + 1;
      // The last save may have been stored although its answer got lost.
      expect([acknowledged[index], lastSent]).toContain(number);
      expect(number).toBeGreaterThan(2);
      expect(stored.status).toBe('Incomplete');
    }
    // Logs contain neither answers of learners nor their tokens.
    expect(api.stdout).toContain('PUT delivery/save');
    for (const secret of ['save 1', ...begun.map(({ token }) => token as string)])
      expect(api.stdout + api.stderr).not.toContain(secret);
    const rows = await behind.database.rows<{ save_number: number }>('SELECT save_number FROM attempt');
    expect(rows).toHaveLength(PAGES);
    // The timeout ends a hanging test. A slow machine must not reach it.
  });

  it('stores every answer when the saves of a page reach two services', async () => {
    const other = await ServiceProcess.listening({ settings });
    try {
      const request = TestPage.request({ user_id: 'between', items: ['i-1', 'i-2'] });
      const signed = signedStart(behind.client, new SystemClock().now(), request);
      const { token, items } = (await callPage(api.url, 'sessions', signed)).body;
      const ids: string[] = items.flatMap(({ response_ids }: any) => response_ids);
      expect(ids).toHaveLength(3);
      const expected: Record<string, unknown> = {};
      for (const [index, { url }] of [api, api, other, api, other, other, api, other].entries()) {
        const id = ids[index % ids.length]!;
        expected[id] = { value: [`${index}`], type: 'array' };
        const body = { save_number: index + 1, responses: { [id]: expected[id] } };
        const saved = await callPage(url, 'sessions/current/responses', body, { method: 'PUT', token });
        expect([index, saved.status, saved.body.save_number]).toEqual([index, 200, index + 1]);
      }
      const client = new Client(other.url, behind.client.key, behind.client.secret, new SystemClock());
      const { data } = await client.get('sessions/responses', { session_id: [request.session_id] });
      const stored = data[0].responses.map(({ response_id: id, response: { value, type } }: any) => [
        id,
        { value, type },
      ]);
      expect(Object.fromEntries(stored)).toEqual(expected);
    } finally {
      await other.end('SIGKILL');
    }
  });
});
