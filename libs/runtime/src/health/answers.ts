import { type MonitoringAnswer } from '#platform';

/** Whether the process runs: it does when it can answer. */
export const LIVE: MonitoringAnswer = { status: 200, body: '{"status":"ok"}' };

const unready = (status: string): MonitoringAnswer => ({
  status: 503,
  body: JSON.stringify({ status, dependencies: {} }),
});

/** Whether it can do its work, before there is anything to ask. */
export const STARTING = unready('starting');

export const STOPPING = unready('stopping');
