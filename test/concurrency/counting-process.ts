import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '#kernel';
import { countingHandler } from './counting';
import { JobProcess } from './job-process';

/** A worker in its own process, which runs jobs of the type `count` until a test kills it. */
async function main([databaseUrl, queueUrl, leaseMs]: string[]): Promise<void> {
  const jobProcess = await JobProcess.open(databaseUrl!, new SystemClock(), queueUrl || undefined);
  const lease = Number(leaseMs);
  jobProcess.takeJobs([countingHandler(jobProcess.database, { before: () => sleep(5) })], {
    leaseMs: lease,
    heartbeatMs: lease / 4,
    reenqueueMs: lease,
  });
  process.stdout.write('takes jobs\n');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
