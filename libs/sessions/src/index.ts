export { Datasets } from './application/datasets/datasets';
export { DATASET_TYPES, type DatasetType } from './application/datasets/targets';
export { FailedSubmissions, within } from './application/failed-submissions';
export { Forms, keyOf as itemKey } from './application/forms';
export { type ErasureReport } from './application/learners/erasure-report';
export { LearnerErasure } from './application/learners/learner-erasure';
export { LearnerExport } from './application/learners/learner-export';
export { type ExportLine, type LearnerHolder, LearnerHolders } from './application/learners/learner-holders';
export { type LiveSave, LiveSessions } from './application/live-sessions';
export { ManualScores, type ScoredSession } from './application/manual-scores';
export { type MarkedQuestion, MarkingRounds, type ShownAnswer } from './application/marking/marking-rounds';
export { type AnswerToMark, markerOf, RoundMarking, type Taken } from './application/marking/round-marking';
export { type RoundProgress } from './application/ports/marking-store';
export { ResponseScoring, waits } from './application/response-scoring';
export {
  type Period,
  type SessionFilter,
  type SessionRecord,
  type SessionText,
  type Wanted,
} from './application/ports/session-reader';
export { type ScoreChange, SessionStore } from './application/ports/session-store';
export { Rescoring } from './application/rescoring/rescoring';
export { type RescoringItem, type RescoringRequest } from './application/rescoring/rescoring-checks';
export {
  type NoRule,
  type ResponseChange,
  type Rule,
  type ScoreReason,
  ScoreReasons,
} from './application/score-reasons';
export { scoreInTime } from './application/score-in-time';
export { MAX_ITEMS, SessionTemplates, type TemplateRequest } from './application/session-templates';
export { type SessionQuestion, SessionQuestions } from './application/session-questions';
export { type SessionQuery, Sessions } from './application/sessions';
export { SessionStatuses, type WantedStatus } from './application/session-statuses';
export { SessionTags, type TaggedSession } from './application/session-tags';
export { Submissions } from './application/submissions';
export { Subscores } from './application/subscores';
export { ITEMS_API_VERSION } from './application/template-view';
export { TemplateSubmissions } from './application/template-submissions';
export { ANSWERED_TYPES } from './domain/answers';
export {
  definitionOf,
  type Form,
  type FormItem,
  formOf,
  type FormQuestion,
  type FormSettings,
  questionId,
  settingsOf,
  subscoresOf,
} from './domain/form';
export { type MarkingRound, ROUND_STATUSES, type Stage, STAGES } from './domain/marking';
export { Refused } from './domain/saving';
export {
  type Mark,
  type Session,
  SESSION_STATUSES,
  type SessionItem,
  type SessionResponse,
  type SessionStatus,
  type SessionTag,
  SETTABLE_STATUSES,
} from './domain/session';
export { type Submission, type SubmittedItem, type SubmittedResponse } from './domain/submission';
export { isoTime, type SessionFacts, scoresRecord, statusRecord } from './domain/wire';
export { joinedForm, joinedSession } from './infrastructure/session-sql';
export { SessionsModule } from './sessions.module';
