import { anEngine } from '../support/engines';
import { fuzz } from './fuzz';

/** The long run is `npm run fuzz`. */
const REQUESTS = 400;

describe.each(anEngine(__filename))('a short run of generated requests on %s', (engine) => {
  it('finds no failure, no hang and no refused request that changes something', async () => {
    const seed = Number(process.env.FUZZ_SEED ?? 20_260_103);
    const report = await fuzz({
      engine,
      seed,
      requests: REQUESTS,
      built: false,
      singles: 3,
      rounds: 1,
      note: () => undefined,
    });
    expect(report.faults).toEqual([]);
    expect(report.refusedAgain).toBeGreaterThan(REQUESTS / 10);
    expect(report.refusedAlone).toBeGreaterThan(0);
    expect(report.answers['good, succeeded']).toBeGreaterThan(REQUESTS / 20);
    expect(report.answers['broken, succeeded']).toBeUndefined();
  }, 120_000);
});
