import { S3Server } from '../support/s3-server';
import { ConsoleBrowser } from './support/console-browser';
import { SECOND } from '../support/time';

const console = new ConsoleBrowser();
const environment = { ...process.env };
let bucket: S3Server;

beforeAll(async () => {
  bucket = await S3Server.start('/bank/public/', () => console.service.clock.now());
  bucket.setKeysOfProcess();
  await console.open({ ASSETS_URL: `s3://bank?${bucket.parameters}` });
});
afterAll(async () => {
  process.env = environment;
  await console.close();
  await bucket?.close();
});

/** More than a page of a plan. */
const NAMES = Array.from({ length: 250 }, (_, index) => `bucket-${index}`);

describe('the console of a service whose files lie in a bucket', () => {
  it('uploads a file to the bucket and pages through the plan there, and may call no other server', async () => {
    console.service.clock.advance(SECOND);
    const { close, page, errors } = await console.signIn(['operator']);
    await console.visit(page, '/imports');
    const content = NAMES.map((name) => `// [id:${name}]\n::${name}:: Does it carry sound?{T}`).join('\n\n');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'bucket.gift', mimeType: 'text/plain', buffer: Buffer.from(content) });
    await page.getByRole('button', { name: 'Upload and plan' }).click();
    await page.getByText('This is the plan. Nothing is stored yet.').waitFor();
    expect(bucket.paths.filter((path) => path.startsWith('/bank/private/1/imports/'))).toHaveLength(1);
    await page.getByRole('button', { name: 'bucket-0', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'bucket-200', exact: true }).waitFor();
    await page.getByText('Rows: 50').waitFor();
    expect(errors).toEqual([]);

    const response = await page.request.get(`${console.service.url}/console/imports`);
    const [calls] = /connect-src [^;]*/.exec(response.headers()['content-security-policy']!)!;
    expect(calls).toBe(`connect-src 'self' ${bucket.url}`);
    await close();
  });
});
