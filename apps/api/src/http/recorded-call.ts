import { randomUUID } from 'node:crypto';
import { type ExecutionContext } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type Logger } from '#platform';
import { type RequestMetrics } from './request-metrics';

/** A call of a page that is not an operation. */
export interface RecordedCall extends Request {
  /** For the log. */
  known: { request_id: string; consumer?: string; organisation?: number; code?: number };
}

/** Begins a call: sets its id and the headers of every answer, and records the answer in the log and the metrics. */
export function recordCall<Call extends RecordedCall>(
  context: ExecutionContext,
  caller: 'console' | 'delivery',
  log: Logger,
  metrics: RequestMetrics,
): [Call, Response] {
  const started = performance.now();
  const http = context.switchToHttp();
  const [call, response] = [http.getRequest<Call>(), http.getResponse<Response>()];
  call.known = { request_id: randomUUID() };
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Request-Id', call.known.request_id);
  const operation = `${call.method} ${caller}/${context.getHandler().name}`;
  metrics.began();
  response.once('close', () => {
    const milliseconds = performance.now() - started;
    const { code, ...known } = call.known;
    const status = response.statusCode;
    log.info({ ...known, operation, status, code, ms: Math.round(milliseconds * 10) / 10 }, 'request');
    metrics.answered({ operation, status, code, milliseconds });
  });
  return [call, response];
}
