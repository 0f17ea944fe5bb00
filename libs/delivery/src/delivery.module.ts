import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ContentModule } from '#content';
import { PoolsModule } from '#pools';
import { SessionsModule } from '#sessions';
import { AttemptChanges } from './application/attempt-changes';
import { AttemptRecords } from './application/attempt-records';
import { Attempts } from './application/attempts';
import { Checks } from './application/checks';
import { Compositions } from './application/compositions';
import { DeliveredContent } from './application/delivered-content';
import { AttemptStore } from './application/ports/attempt-store';
import { NextItems } from './application/next-items';
import { OfflinePlays } from './application/offline-plays';
import { PageTexts } from './application/page-texts';
import { Reviews } from './application/reviews';
import { Saves } from './application/saves';
import { Supervisions } from './application/supervisions';
import { Sweeps } from './application/sweeps';
import { TestletSearch } from './application/testlet-search';
import { Tokens } from './application/tokens';
import { AttemptChecks } from './infrastructure/attempt-checks';
import { SqlAttemptStore } from './infrastructure/sql-attempt-store';

@Module({
  imports: [AccessModule, ContentModule, PoolsModule, SessionsModule],
  providers: [
    AttemptChanges,
    AttemptChecks,
    AttemptRecords,
    Attempts,
    Checks,
    Compositions,
    DeliveredContent,
    NextItems,
    OfflinePlays,
    PageTexts,
    Reviews,
    Saves,
    Supervisions,
    Sweeps,
    TestletSearch,
    Tokens,
    { provide: AttemptStore, useClass: SqlAttemptStore },
  ],
  exports: [AttemptRecords, Attempts, Checks, NextItems, PageTexts, Saves, Supervisions, Sweeps, Tokens],
})
export class DeliveryModule {}
