import { type MonitoringAnswer } from '#platform';

/** The answer to the liveness probe. A process that answers is alive. */
export const LIVE: MonitoringAnswer = { status: 200, body: '{"status":"ok"}' };

const unready = (status: string): MonitoringAnswer => ({
  status: 503,
  body: JSON.stringify({ status, dependencies: {} }),
});

/** The readiness answer before the dependencies are known. */
export const STARTING = unready('starting');

export const STOPPING = unready('stopping');
