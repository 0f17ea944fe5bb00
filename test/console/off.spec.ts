import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RequestMethod } from '@nestjs/common';
import { SignIns } from '#people';
import { Browser, newPerson } from '../support/browser';
import { anEngine } from '../support/engines';
import { serviceOfSuite, startService } from '../support/service';

const folder = resolve(__dirname, '../../apps/api/src/console');

/** The addresses of the controllers of the console, as they declare them. */
async function addresses(): Promise<[method: string, path: string][]> {
  const found: [string, string][] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.controller.ts'))) {
    const exported = Object.values((await import(join(folder, file))) as Record<string, unknown>);
    for (const each of exported) {
      const root: unknown = typeof each === 'function' ? Reflect.getMetadata('path', each) : undefined;
      if (typeof root !== 'string') continue;
      const { prototype } = each as { prototype: Record<string, object> };
      for (const name of Object.getOwnPropertyNames(prototype)) {
        const method = Reflect.getMetadata('method', prototype[name]!) as RequestMethod | undefined;
        if (method === undefined) continue;
        const paths = [Reflect.getMetadata('path', prototype[name]!) as string | string[]].flat();
        for (const path of paths)
          found.push([RequestMethod[method], `/${root}/${path}`.replace(/\/+$/, '').replace(/:\w+|\*\w+/g, '1')]);
      }
    }
  }
  return found;
}

const OTHERS: [string, string][] = [
  ['GET', '/console/'],
  ['GET', '/console/items'],
  ['GET', '/console/frame.html'],
  ['GET', '/console/link'],
  ['POST', '/console/api/v1/itembank/items'],
  ['POST', '/console/api/v1/sessions'],
];

describe.each(anEngine(__filename))('a service with CONSOLE=off on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine, { CONSOLE: 'off' }));
  let page: Browser;
  beforeAll(async () => {
    const person = await newPerson(service, ['operator']);
    const { secret } = await service.get(SignIns).newLink(person.id, 'sign-in');
    // A cookie of a time when the console was on.
    page = new Browser(service.url);
    page.cookies.set('itembank-local', await service.get(SignIns).withLink(secret, undefined, '192.0.2.1', 'test'));
  });

  it('answers at no address of the console, to strangers and to callers with a cookie', async () => {
    const all = [...(await addresses()), ...OTHERS];
    expect(all.length).toBeGreaterThan(35);
    const answers = [];
    for (const each of [new Browser(service.url), page])
      for (const [method, path] of all) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const { status, body: answer } = await each.send(method, path, body);
        answers.push([method, path, status, answer?.meta?.code]);
      }
    expect(answers.filter(([, , status]) => status !== 404)).toEqual([]);
  });

  it('answers programs, and its welcome page names no console', async () => {
    expect((await service.client.get('itembank/items', {})).meta.status).toBe(true);
    const { status, text } = await page.send('GET', '/');
    expect(status).toBe(200);
    expect(text).not.toContain('console');
  });
});
