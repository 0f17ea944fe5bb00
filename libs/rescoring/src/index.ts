export { RescoringErasure, type RescoringLine } from './application/ports/rescoring-erasure';
export { Rescoring } from './application/rescoring';
export { type RescoringItem } from './application/rescoring-checks';
export { RescoringModule } from './rescoring.module';
