import { Module, type OnModuleInit } from '@nestjs/common';
import { AccessModule } from '#access';
import { ContentModule } from '#content';
import { EventsModule } from '#events';
import { JobRunner, JobsModule } from '#jobs';
import { PoolsModule } from '#pools';
import { Completions } from './application/completions';
import { Datasets } from './application/datasets/datasets';
import { FailedSubmissions } from './application/failed-submissions';
import { Forms } from './application/forms';
import { JobErasure } from './application/learners/job-erasure';
import { LearnerErasure } from './application/learners/learner-erasure';
import { LearnerHolders } from './application/learners/learner-holders';
import { LearnerExport } from './application/learners/learner-export';
import { SessionErasure } from './application/learners/session-erasure';
import { LiveSessions } from './application/live-sessions';
import { ManualScores } from './application/manual-scores';
import { MarkingRounds } from './application/marking/marking-rounds';
import { RoundCollection } from './application/marking/round-collection';
import { RoundMarking } from './application/marking/round-marking';
import { ResponseScoring } from './application/response-scoring';
import { FormStore } from './application/ports/form-store';
import { LearnerStore } from './application/ports/learner-store';
import { MarkingStore } from './application/ports/marking-store';
import { RescoringStore } from './application/ports/rescoring-store';
import { SessionReader } from './application/ports/session-reader';
import { SessionScan } from './application/ports/session-scan';
import { SessionStore } from './application/ports/session-store';
import { ItemRescoring } from './application/rescoring/item-rescoring';
import { OldRescorings } from './application/rescoring/old-rescorings';
import { Pairing } from './application/rescoring/pairing';
import { Rescoring } from './application/rescoring/rescoring';
import { RescoringApplication } from './application/rescoring/rescoring-application';
import { RescoringChecks } from './application/rescoring/rescoring-checks';
import { RescoringReport } from './application/rescoring/rescoring-report';
import { RescoringReversal } from './application/rescoring/rescoring-reversal';
import { ScoreReasons } from './application/score-reasons';
import { SessionChanges } from './application/session-changes';
import { SessionTemplates } from './application/session-templates';
import { SessionQuestions } from './application/session-questions';
import { SessionStatuses } from './application/session-statuses';
import { SessionTags } from './application/session-tags';
import { Sessions } from './application/sessions';
import { Submissions } from './application/submissions';
import { Subscores } from './application/subscores';
import { TemplateSubmissions } from './application/template-submissions';
import { VerifiedTemplates } from './application/verified-templates';
import { FormChecks } from './infrastructure/form-checks';
import { SessionChecks } from './infrastructure/session-checks';
import { SqlFormStore } from './infrastructure/sql-form-store';
import { SqlLearnerStore } from './infrastructure/sql-learner-store';
import { MarkingChecks } from './infrastructure/marking-checks';
import { SqlMarkingStore } from './infrastructure/sql-marking-store';
import { SqlRescoringStore } from './infrastructure/sql-rescoring-store';
import { SqlSessionReader } from './infrastructure/sql-session-reader';
import { SqlSessionScan } from './infrastructure/sql-session-scan';
import { SqlSessionStore } from './infrastructure/sql-session-store';

@Module({
  imports: [AccessModule, ContentModule, EventsModule, JobsModule, PoolsModule],
  providers: [
    Completions,
    Datasets,
    FailedSubmissions,
    FormChecks,
    Forms,
    ItemRescoring,
    JobErasure,
    LearnerErasure,
    LearnerExport,
    LearnerHolders,
    LiveSessions,
    ManualScores,
    MarkingChecks,
    MarkingRounds,
    ResponseScoring,
    OldRescorings,
    Pairing,
    Rescoring,
    RescoringApplication,
    RescoringChecks,
    RescoringReport,
    RescoringReversal,
    RoundCollection,
    RoundMarking,
    ScoreReasons,
    SessionChanges,
    SessionChecks,
    SessionErasure,
    SessionQuestions,
    SessionStatuses,
    SessionTags,
    SessionTemplates,
    Sessions,
    Submissions,
    Subscores,
    TemplateSubmissions,
    VerifiedTemplates,
    { provide: FormStore, useClass: SqlFormStore },
    { provide: LearnerStore, useClass: SqlLearnerStore },
    { provide: MarkingStore, useClass: SqlMarkingStore },
    { provide: RescoringStore, useClass: SqlRescoringStore },
    { provide: SessionReader, useClass: SqlSessionReader },
    { provide: SessionScan, useClass: SqlSessionScan },
    { provide: SessionStore, useClass: SqlSessionStore },
  ],
  exports: [
    Datasets,
    FailedSubmissions,
    Forms,
    LearnerErasure,
    LearnerExport,
    LearnerHolders,
    LiveSessions,
    ManualScores,
    MarkingRounds,
    ResponseScoring,
    Rescoring,
    RoundMarking,
    ScoreReasons,
    SessionChanges,
    SessionQuestions,
    SessionStatuses,
    SessionStore,
    SessionTags,
    SessionTemplates,
    Sessions,
    Submissions,
    Subscores,
    TemplateSubmissions,
  ],
})
export class SessionsModule implements OnModuleInit {
  constructor(
    private readonly runner: JobRunner,
    private readonly completions: Completions,
    private readonly datasets: Datasets,
    private readonly itemRescoring: ItemRescoring,
    private readonly manualScores: ManualScores,
    private readonly roundCollection: RoundCollection,
    private readonly rescoringApplication: RescoringApplication,
    private readonly rescoringReversal: RescoringReversal,
    private readonly statuses: SessionStatuses,
    private readonly tags: SessionTags,
    private readonly submissions: Submissions,
    private readonly subscores: Subscores,
  ) {}

  onModuleInit(): void {
    this.runner.register(this.completions);
    this.runner.register(this.datasets);
    this.runner.register(this.itemRescoring);
    this.runner.register(this.manualScores);
    this.runner.register(this.roundCollection);
    this.runner.register(this.rescoringApplication);
    this.runner.register(this.rescoringReversal);
    this.runner.register(this.statuses);
    this.runner.register(this.tags);
    this.runner.register(this.submissions);
    this.runner.register(this.subscores);
  }
}
