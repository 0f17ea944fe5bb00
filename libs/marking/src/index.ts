export { type MarkedQuestion, MarkingRounds, type ShownAnswer } from './application/marking-rounds';
export { type AnswerToMark, markerOf, RoundMarking, type Taken } from './application/round-marking';
export { MarkingErasure, type RoundProgress } from './application/ports/marking-store';
export { type MarkingRound, responseHash, ROUND_STATUSES, STAGES } from './domain/marking-round';
export { MarkingModule } from './marking.module';
