export { Attempts, type SignedPage, type Started } from './application/attempts';
export { type CheckAnswer, Checks } from './application/checks';
export { type PageSave, type SaveAnswer, Saves, type SubmitAnswer } from './application/saves';
export { Sweeps } from './application/sweeps';
export { type Page, tooMany, Tokens } from './application/tokens';
export { DeliveryModule } from './delivery.module';
export { FEATURE_MEMBERS, isShown, QUESTION_MEMBERS } from './domain/allowed-members';
export { badToken, Stale } from './domain/faults';
export { type Review } from './domain/review';
