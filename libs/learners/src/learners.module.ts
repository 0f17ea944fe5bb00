import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { DeliveryModule } from '#delivery';
import { EventsModule } from '#events';
import { JobsModule } from '#jobs';
import { MarkingModule } from '#marking';
import { ReportingModule } from '#reporting';
import { RescoringModule } from '#rescoring';
import { SessionsModule } from '#sessions';
import { LearnerErasure } from './application/learner-erasure';
import { LearnerExport } from './application/learner-export';
import { LearnerJobs } from './application/learner-jobs';
import { LearnerSessions } from './application/learner-sessions';
import { LearnerStore } from './application/ports/learner-store';
import { SessionRemoval } from './application/session-removal';
import { SqlLearnerStore } from './infrastructure/sql-learner-store';

@Module({
  imports: [
    AccessModule,
    DeliveryModule,
    EventsModule,
    JobsModule,
    MarkingModule,
    ReportingModule,
    RescoringModule,
    SessionsModule,
  ],
  providers: [
    LearnerErasure,
    LearnerExport,
    LearnerJobs,
    LearnerSessions,
    SessionRemoval,
    { provide: LearnerStore, useClass: SqlLearnerStore },
  ],
  exports: [LearnerErasure, LearnerExport],
})
export class LearnersModule {}
