import { type DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Dependencies, type DependencyName } from './dependencies';
import { Health, NEEDED } from './health';

/** The dependencies without which a program can do no work at all (decision 38). */
const NEEDED_BY: Record<'api' | 'worker', readonly DependencyName[]> = {
  api: ['database'],
  worker: ['database', 'redis'],
};

@Module({})
export class HealthModule {
  static of(program: keyof typeof NEEDED_BY): DynamicModule {
    return {
      module: HealthModule,
      // The log already names the dependencies that are down.
      imports: [TerminusModule.forRoot({ logger: false, errorLogStyle: 'json' })],
      providers: [Dependencies, Health, { provide: NEEDED, useValue: NEEDED_BY[program] }],
      exports: [Health],
    };
  }
}
