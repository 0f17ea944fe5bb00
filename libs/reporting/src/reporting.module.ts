import { Module } from '@nestjs/common';
import { ContentModule } from '#content';
import { JobsModule } from '#jobs';
import { SessionsModule } from '#sessions';
import { AnonymousSessions } from './application/anonymous-sessions';
import { DatasetSessions } from './application/dataset-sessions';
import { Datasets } from './application/datasets';
import { AnonymousSessionStore } from './application/ports/anonymous-session-store';
import { AnonymousSessionChecks } from './infrastructure/anonymous-session-checks';
import { SqlAnonymousSessionStore } from './infrastructure/sql-anonymous-session-store';

@Module({
  imports: [ContentModule, JobsModule, SessionsModule],
  providers: [
    AnonymousSessionChecks,
    AnonymousSessions,
    DatasetSessions,
    Datasets,
    { provide: AnonymousSessionStore, useClass: SqlAnonymousSessionStore },
  ],
  exports: [AnonymousSessions, Datasets],
})
export class ReportingModule {}
