import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ContentModule } from '#content';
import { JobsModule } from '#jobs';
import { SessionsModule } from '#sessions';
import { MarkingRounds } from './application/marking-rounds';
import { MarkingErasure, MarkingStore } from './application/ports/marking-store';
import { RoundCollection } from './application/round-collection';
import { RoundMarking } from './application/round-marking';
import { MarkingChecks } from './infrastructure/marking-checks';
import { SqlMarkingStore } from './infrastructure/sql-marking-store';

@Module({
  imports: [AccessModule, ContentModule, JobsModule, SessionsModule],
  providers: [
    MarkingChecks,
    MarkingRounds,
    RoundCollection,
    RoundMarking,
    { provide: MarkingErasure, useExisting: MarkingStore },
    { provide: MarkingStore, useClass: SqlMarkingStore },
  ],
  exports: [MarkingErasure, MarkingRounds, RoundMarking],
})
export class MarkingModule {}
