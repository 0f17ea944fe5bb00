import { write } from '../support/bank';
import { anEngine } from '../support/engines';
import { TestPage } from '../support/page';
import { startServiceInTurn, type TestService } from '../support/service';
import { writeSessionBank } from '../support/session-bank';

describe.each(anEngine(__filename))('saving from a page on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startServiceInTurn(engine);
    await writeSessionBank(service.client);
    await write(service.client, {});
  });
  afterAll(() => service?.close());
  beforeEach(() => service.clock.advance(10_000));

  const start = (more: object = {}) => TestPage.start(service, { items: ['i-1', 'i-2'], ...more });

  it('stores the session with the first save, and not before', async () => {
    const page = await start();
    expect(await page.stored()).toBeUndefined();
    const [choice] = page.questions;
    const saved = await page.save({ [choice.response_id]: ['1'] });
    expect(saved.status).toBe(200);
    const done = await page.submit();
  });
});
