import 'reflect-metadata';
import { RequestMethod } from '@nestjs/common';
import { Config } from '#platform';
import { ApiModule } from '../../apps/api/src/api.module';
import { anEngine } from '../support/engines';
import { fuzz } from './fuzz';
import { routeSources } from './fuzz-requests';

/** The long run is `npm run fuzz`. */
const REQUESTS = 400;

describe.each(anEngine(__filename))('a short run of generated requests on %s', (engine) => {
  it('finds no failure, no missing answer, and no refused request that changes something', async () => {
    const seed = Number(process.env.FUZZ_SEED ?? 20_260_103);
    const report = await fuzz({
      engine,
      seed,
      requests: REQUESTS,
      built: false,
      singles: 3,
      rounds: 1,
      transfers: 5,
      note: () => undefined,
    });
    expect(report.faults).toEqual([]);
    expect(report.refusedAgain).toBeGreaterThan(REQUESTS / 10);
    expect(report.refusedAlone).toBeGreaterThan(0);
    expect(report.answers['good, succeeded']).toBeGreaterThan(REQUESTS / 20);
    expect(report.answers['broken, succeeded']).toBeUndefined();
  });
});

describe('the generated requests', () => {
  it('reach every route of every controller', () => {
    const { controllers = [] } = ApiModule.with(Config.read({ DATABASE_URL: 'file::memory:' }));
    const declared = controllers.flatMap((controller) => {
      const below = (path: string) =>
        [Reflect.getMetadata('path', controller), path].join('/').replace(/^\/+|\/+$/g, '');
      return Object.values(Object.getOwnPropertyDescriptors(controller.prototype)).flatMap(({ value }) => {
        const method =
          typeof value === 'function' ? (Reflect.getMetadata('method', value) as number | undefined) : undefined;
        if (method === undefined) return [];
        const paths = [Reflect.getMetadata('path', value) as string | string[]].flat();
        return paths.map((path) => `${RequestMethod[method]} ${below(path === '/' ? '' : path)}`.trim());
      });
    });
    expect([...new Set(routeSources().map(({ route }) => route))].sort()).toEqual([...new Set(declared)].sort());
  });
});
