import { Injectable } from '@nestjs/common';
import { type Counter, type Histogram, Metrics } from '#platform';

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The label of everything that is not an operation. A caller's text never becomes a label. */
const UNKNOWN = 'unknown';

const TOO_MANY_REQUESTS = 429;

/** The outcome of a request. */
interface Answered {
  /** Name of a registered operation: `get itembank/items`. Absent: the request was for no operation. */
  operation: string | undefined;
  status: number;
  /** The wire code of a fault. */
  code: number | undefined;
  milliseconds: number;
}

/** Metrics of requests. */
@Injectable()
export class RequestMetrics {
  private readonly requests: Counter;
  private readonly durations: Histogram;
  private readonly limited: Counter;
  private inFlight = 0;

  constructor(metrics: Metrics) {
    this.requests = metrics.counter({
      name: 'itembank_http_requests_total',
      help: 'Answered requests, by operation, HTTP status and code of the answer; the code is empty for success.',
      labels: ['operation', 'status', 'code'],
    });
    this.durations = metrics.histogram({
      name: 'itembank_http_request_duration_seconds',
      help: 'Duration of requests from their head to the answer, without the delay of refusals.',
      labels: ['operation'],
      buckets: BUCKETS,
    });
    this.limited = metrics.counter({
      name: 'itembank_rate_limit_hits_total',
      help: 'Requests refused because the consumer sent too many of them.',
      labels: ['operation'],
    });
    metrics.gauges([{ name: 'itembank_http_requests_in_flight', help: 'Requests that are being answered.' }], () => [
      [{ value: this.inFlight }],
    ]);
  }

  /** Call `answered` for each request that began. */
  began(): void {
    this.inFlight++;
  }

  answered(request: Answered): void {
    this.inFlight--;
    this.refused(request);
    this.durations.observe(request.milliseconds / 1000, request.operation ?? UNKNOWN);
  }

  /** Counts a request that could not begin: invalid HTTP or an invalid address. */
  refused({ operation = UNKNOWN, status, code }: Omit<Answered, 'milliseconds'>): void {
    this.requests.add(1, operation, String(status), code === undefined ? '' : String(code));
    if (status === TOO_MANY_REQUESTS) this.limited.add(1, operation);
  }
}
