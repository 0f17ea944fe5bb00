import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ContentModule } from '#content';
import { EventsModule } from '#events';
import { JobsModule } from '#jobs';
import { PoolsModule } from '#pools';
import { Completions } from './application/completions';
import { FailedSubmissions } from './application/failed-submissions';
import { Forms } from './application/forms';
import { LiveSessions } from './application/live-sessions';
import { ManualScores } from './application/manual-scores';
import { ResponseScoring } from './application/response-scoring';
import { FormStore } from './application/ports/form-store';
import { SessionReader } from './application/ports/session-reader';
import { SessionScan } from './application/ports/session-scan';
import { SessionsErasure } from './application/ports/sessions-erasure';
import { SessionStore } from './application/ports/session-store';
import { ScoreReasons } from './application/score-reasons';
import { SessionChanges } from './application/session-changes';
import { SessionTemplates } from './application/session-templates';
import { SessionQuestions } from './application/session-questions';
import { SessionStatuses } from './application/session-statuses';
import { SessionTags } from './application/session-tags';
import { Sessions } from './application/sessions';
import { Submissions } from './application/submissions';
import { Subscores } from './application/subscores';
import { TakenSessions } from './application/taken-sessions';
import { TemplateSubmissions } from './application/template-submissions';
import { VerifiedTemplates } from './application/verified-templates';
import { FormChecks } from './infrastructure/form-checks';
import { SessionChecks } from './infrastructure/session-checks';
import { SqlFormStore } from './infrastructure/sql-form-store';
import { SqlSessionReader } from './infrastructure/sql-session-reader';
import { SqlSessionScan } from './infrastructure/sql-session-scan';
import { SqlSessionsErasure } from './infrastructure/sql-sessions-erasure';
import { SqlSessionStore } from './infrastructure/sql-session-store';

@Module({
  imports: [AccessModule, ContentModule, EventsModule, JobsModule, PoolsModule],
  providers: [
    Completions,
    FailedSubmissions,
    FormChecks,
    Forms,
    LiveSessions,
    ManualScores,
    ResponseScoring,
    ScoreReasons,
    SessionChanges,
    SessionChecks,
    SessionQuestions,
    SessionStatuses,
    SessionTags,
    SessionTemplates,
    Sessions,
    Submissions,
    Subscores,
    TakenSessions,
    TemplateSubmissions,
    VerifiedTemplates,
    { provide: FormStore, useClass: SqlFormStore },
    { provide: SessionReader, useClass: SqlSessionReader },
    { provide: SessionScan, useClass: SqlSessionScan },
    { provide: SessionsErasure, useClass: SqlSessionsErasure },
    { provide: SessionStore, useClass: SqlSessionStore },
  ],
  exports: [
    FailedSubmissions,
    Forms,
    LiveSessions,
    ManualScores,
    ResponseScoring,
    ScoreReasons,
    SessionChanges,
    SessionQuestions,
    SessionReader,
    SessionScan,
    SessionsErasure,
    SessionStatuses,
    SessionStore,
    SessionTags,
    SessionTemplates,
    Sessions,
    Submissions,
    Subscores,
    TakenSessions,
    TemplateSubmissions,
  ],
})
export class SessionsModule {}
