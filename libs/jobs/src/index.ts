export { JobHandler, type RunningJob, Superseded } from './application/job-handler';
export { JobRunner } from './application/job-runner';
export { type JobFilter, Jobs } from './application/jobs';
export { type Pace } from './application/pace';
export { untilSettled } from './application/settled';
export { type Job, type JobError, type JobReference, JOB_STATUSES, type JobStatus, type Progress } from './domain/job';
export { type FiledResults, type JobFile } from './domain/job-file';
export { jobStatusColumn } from './infrastructure/job-sql';
export { JobsModule } from './jobs.module';
