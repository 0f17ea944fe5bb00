export { FailedSubmissions, within } from './application/failed-submissions';
export { Forms, keyOf as itemKey } from './application/forms';
export { KnownItem, PresentNames } from './application/known-items';
export { type LiveSave, LiveSessions } from './application/live-sessions';
export { ManualScores } from './application/manual-scores';
export { ResponseScoring } from './application/response-scoring';
export {
  type Period,
  SESSION_TEXTS,
  type SessionFilter,
  SessionReader,
  type SessionRecord,
  type SessionText,
} from './application/ports/session-reader';
export { type ScoreChange, SessionStore } from './application/ports/session-store';
export {
  type AnsweredQuestion,
  type AnsweredSession,
  type Selection,
  type SessionOutcome,
  SessionScan,
} from './application/ports/session-scan';
export { type SessionName, SessionsErasure, type SessionsWith } from './application/ports/sessions-erasure';
export { type NoRule, type ResponseChange, type ScoreReason, ScoreReasons } from './application/score-reasons';
export { scoreInTime } from './application/score-in-time';
export { SessionChanges } from './application/session-changes';
export { MAX_ITEMS, SessionTemplates } from './application/session-templates';
export { type SessionQuestion, SessionQuestions } from './application/session-questions';
export { type SessionQuery, Sessions } from './application/sessions';
export { SessionStatuses } from './application/session-statuses';
export { SessionTags } from './application/session-tags';
export { Submissions } from './application/submissions';
export { Subscores } from './application/subscores';
export { ITEMS_API_VERSION } from './application/template-view';
export { type TakenOutcome, TakenSessions, type TakingOptions } from './application/taken-sessions';
export { TemplateSubmissions } from './application/template-submissions';
export { ANSWERED_TYPES } from './domain/answers';
export {
  definitionOf,
  type Form,
  type FormItem,
  formItem,
  formOf,
  type FormQuestion,
  questionId,
  settingsOf,
  subscoresOf,
} from './domain/form';
export { twice as sessionTwice } from './domain/naming';
export { Refused } from './domain/saving';
export {
  type Session,
  SESSION_STATUSES,
  type SessionResponse,
  type SessionTag,
  SETTABLE_STATUSES,
  shownReport,
} from './domain/session';
export { type Submission, type SubmittedItem, type SubmittedResponse } from './domain/submission';
export { type TakenItem, type TakenResponse, type TakenSession } from './domain/taken-session';
export { recount } from './domain/totals';
export { judged, type Verdict } from './domain/verdict';
export { isoTime, type SessionFacts, scoresRecord, statusRecord } from './domain/wire';
export { joinedForm, joinedSession, SESSION_IS_STORED } from './infrastructure/session-sql';
export { SessionsModule } from './sessions.module';
