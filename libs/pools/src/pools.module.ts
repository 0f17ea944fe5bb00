import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ContentModule } from '#content';
import { JobsModule } from '#jobs';
import { TaggingModule } from '#tagging';
import { PoolFilling } from './application/filling';
import { Pools } from './application/pools';
import { PoolStore } from './application/ports/pool-store';
import { PoolChecks } from './infrastructure/pool-checks';
import { SqlPoolStore } from './infrastructure/sql-pool-store';

@Module({
  imports: [AccessModule, ContentModule, JobsModule, TaggingModule],
  providers: [PoolChecks, PoolFilling, Pools, { provide: PoolStore, useClass: SqlPoolStore }],
  exports: [Pools],
})
export class PoolsModule {}
