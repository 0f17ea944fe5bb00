import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ContentModule } from '#content';
import { JobsModule } from '#jobs';
import { PoolsModule } from '#pools';
import { SessionsModule } from '#sessions';
import { ItemRescoring } from './application/item-rescoring';
import { OldRescorings } from './application/old-rescorings';
import { Pairing } from './application/pairing';
import { RescoringErasure } from './application/ports/rescoring-erasure';
import { RescoringStore } from './application/ports/rescoring-store';
import { Rescoring } from './application/rescoring';
import { RescoringApplication } from './application/rescoring-application';
import { RescoringChecks } from './application/rescoring-checks';
import { RescoringReport } from './application/rescoring-report';
import { RescoringReversal } from './application/rescoring-reversal';
import { SqlRescoringErasure } from './infrastructure/sql-rescoring-erasure';
import { SqlRescoringStore } from './infrastructure/sql-rescoring-store';

@Module({
  imports: [AccessModule, ContentModule, JobsModule, PoolsModule, SessionsModule],
  providers: [
    ItemRescoring,
    OldRescorings,
    Pairing,
    Rescoring,
    RescoringApplication,
    RescoringChecks,
    RescoringReport,
    RescoringReversal,
    { provide: RescoringErasure, useClass: SqlRescoringErasure },
    { provide: RescoringStore, useClass: SqlRescoringStore },
  ],
  exports: [Rescoring, RescoringErasure],
})
export class RescoringModule {}
