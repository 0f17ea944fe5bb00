import { type Browser, chromium } from 'playwright-core';
import { Config } from '#platform';
import { writeCredentials } from '#runtime/credentials';
import { ensureBuilt } from '../support/built';
import { write } from '../support/bank';
import { item } from '../support/builders';
import { startService, type TestService } from '../support/service';
import { HANG_MS, until } from '../support/until';
import { onPage } from './host-page';

describe('the pages at /try', () => {
  let service: TestService;
  let browser: Browser;
  const get = (path: string) => fetch(service.url + path, { redirect: 'manual' });

  beforeAll(async () => {
    ensureBuilt();
    service = await startService('sqlite');
    browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM });
    await write(service.client, {
      questions: [
        {
          reference: 'q',
          type: 'mcq',
          data: {
            type: 'mcq',
            stimulus: 'The capital of <b>Australia</b>?',
            options: ['Sydney', 'Canberra'].map((city) => ({ label: city, value: city })),
            validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['Canberra'] } },
          },
        },
      ],
    });
    await write(service.client, { items: [item(['q'], { reference: 'i' })] });
    await write(service.client, {
      activities: [
        {
          reference: 'capitals & more',
          status: 'published',
          data: { items: ['i'], config: { title: 'Capitals <1>' }, rendering_type: 'assess' },
        },
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('do not exist without the credentials of a first start', async () => {
    for (const path of ['/try', '/try/page.js', '/try/capitals%20%26%20more'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('list the activities of the bank, give a test and show its marks', async () => {
    const { key, secret } = await service.consumer({ domains: ['localhost', '127.0.0.1'] });
    const { dataDir } = service.get<Config>(Config as never);
    writeCredentials(dataDir, { key, secret, organisation: 1, domain: 'localhost' });
    const page = await browser.newPage();
    page.setDefaultTimeout(HANG_MS);
    await page.goto(`${service.url}/try`);
    await page.getByRole('link', { name: 'Capitals <1>' }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('radio', { name: 'Canberra' }).check();
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await onPage(page.getByText('Your score: 1 of 1 points')).waitFor();
    await page.getByText('Correct', { exact: true }).first().waitFor();
  });

  it('show pictures of the bank at localhost too, although their addresses begin with 127.0.0.1', async () => {
    const { data } = await service.client.get('itembank/upload/assets', { subkeys: ['dot.svg'] });
    const [asset] = data as [{ upload: string; public: string; content_type: string }];
    const headers = { 'Content-Type': asset.content_type };
    await fetch(asset.upload, {
      method: 'PUT',
      headers,
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>',
    });
    const stimulus = `<p>A dot: <img src="${asset.public}" alt="dot"></p>`;
    await write(service.client, {
      questions: [{ reference: 'seen', type: 'longtextV2', data: { type: 'longtextV2', stimulus } }],
    });
    await write(service.client, { items: [item(['seen'], { reference: 'seen' })] });
    await write(service.client, {
      activities: [{ reference: 'seen', status: 'published', data: { items: ['seen'], rendering_type: 'assess' } }],
    });
    const page = await browser.newPage();
    await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/try/seen`);
    await page.getByRole('button', { name: 'Start' }).click();
    const dot = page.getByRole('img', { name: 'dot' });
    await dot.waitFor();
    await until(async () => (await dot.evaluate((image) => image.naturalWidth)) === 7);
  });

  it('run no code from their addresses', async () => {
    const page = await get(`/try/${encodeURIComponent('</script><script>alert(1)</script>')}?session=%22%3E%3Cb%3E`);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('"><b>');
  });
});
