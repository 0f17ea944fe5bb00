export { type ErasureReport, erasureView } from './application/erasure-report';
export { LearnerErasure } from './application/learner-erasure';
export { type ExportLine, LearnerExport } from './application/learner-export';
export { LearnersModule } from './learners.module';
