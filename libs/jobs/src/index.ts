export { JobHandler, type RunningJob, Superseded } from './application/job-handler';
export { JobRunner } from './application/job-runner';
export { type JobFilter, Jobs } from './application/jobs';
export { type JobChange, JobsErasure } from './application/jobs-erasure';
export { RunnerIntervals } from './application/intervals';
export { type JobTexts, type ErasableJob } from './application/ports/job-text-store';
export { untilCommitted } from './application/until-committed';
export {
  type Job,
  type JobError,
  type JobReference,
  JOB_ACTIONS,
  JOB_STATUSES,
  type JobStatus,
  type Progress,
} from './domain/job';
export { type FiledResults, type JobFile } from './domain/job-file';
export { jobStatusColumn } from './infrastructure/job-sql';
export { JobsModule } from './jobs.module';
