import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as others, setTimeout as delay } from 'node:timers/promises';
import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import { Access, Idempotency, type SignedCall } from '#access';
import { type Author, Clock, Fault, parseRequest, type Scope } from '#kernel';
import { Config, LOGGER, type Logger, type Span, Tracing } from '#platform';
import { Pools } from '#pools';
import { type Parameters, parametersIn } from '../declaration/nested';
import { ConsoleCalls } from '../console/console-calls';
import { hasEffect, type Result } from '../declaration/operation';
import { PagingTokens } from '../declaration/paging-tokens';
import { type Endpoint, Registry } from '../declaration/registry';
import { shelfOf } from '../declaration/shelf';
import { unknownMembers } from '../declaration/unknown-members';
import { emptyLists, withWarnings } from '../declaration/warnings';
import { type Caller, ConsumerCaller, EVERY_ORGANISATION } from './caller';
import { CallSemaphore, isLarge, type RunningCall } from './call-semaphore';
import { failure, send, success } from './envelope';
import { logFailure } from './log-failure';
import { endpointAt, isOfConsole, operationPath, pathnameOf } from './operation-address';
import { readFields } from './request-fields';
import { RequestMetrics } from './request-metrics';

/** The largest number of characters of an address in the log. */
const SHOWN_OF_PATH = 200;

/**
 * How long the answer to a rate-limited call is held back. It is shorter than the wait that the answer asks for, and
 * slows down clients that ignore the answers.
 */
export const REFUSAL_HELD_MS = 500;

/** The facts about an answered call, for log, metrics and traces. Only the path may contain a caller's text. */
interface Known {
  request_id: string;
  trace_id: string | undefined;
  operation?: string;
  /** The address, when there is no operation. */
  path?: string;
  consumer?: string;
  /** The consumer that an unauthenticated call names. */
  claimed_consumer?: string;
  organisation?: number;
  pool?: string;
  as_of?: number;
  replayed?: true;
}

/** The answer to a request. */
interface Reply {
  status: number;
  /** JSON. */
  body: string;
  /** In addition to the headers about the body. */
  headers: Record<string, string | number>;
}

/** Answers every operation. All requests follow one path, which reads from top to bottom. */
@Controller()
export class Dispatcher {
  private readonly semaphore = new CallSemaphore();

  constructor(
    private readonly registry: Registry,
    private readonly access: Access,
    private readonly people: ConsoleCalls,
    private readonly idempotency: Idempotency,
    private readonly pools: Pools,
    private readonly tokens: PagingTokens,
    private readonly config: Config,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly metrics: RequestMetrics,
    private readonly tracing: Tracing,
  ) {}

  @All('*path')
  async handle(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const { traceparent } = request.headers;
    const origin = { kind: 'request', parent: typeof traceparent === 'string' ? traceparent : undefined } as const;
    const { status, body, headers } = await this.tracing.trace('request', origin, (span) => this.reply(request, span));
    send(response, status, body, headers);
  }

  /** Answers a request, and records it in the log, the metrics and its trace. */
  private async reply(request: IncomingMessage, span: Span): Promise<Reply> {
    const started = performance.now();
    const known: Known = { request_id: randomUUID(), trace_id: span.traceId };
    const headers: Reply['headers'] = { 'X-Request-Id': known.request_id };
    let status = 200;
    let code: number | undefined;
    let body: string;
    this.metrics.began();
    try {
      body = await this.answer(request, headers, known);
    } catch (error) {
      ({ status, code, body } = failure(error, known.request_id, this.clock.now()));
      logFailure(this.log, error, known);
      if (status === 405) headers.Allow = 'POST';
      if (error instanceof Fault && error.retryAfter !== undefined) headers['Retry-After'] = error.retryAfter;
    }
    const milliseconds = performance.now() - started;
    if (status === 429) await delay(REFUSAL_HELD_MS);
    this.log.info({ ...known, status, code, ms: Math.round(milliseconds * 10) / 10 }, 'request');
    this.metrics.answered({ operation: known.operation, status, code, milliseconds });
    recordOutcome(span, known, status, code);
    return { status, body, headers };
  }

  private async answer(request: IncomingMessage, headers: Reply['headers'], known: Known): Promise<string> {
    const pathname = pathnameOf(request);
    known.path = pathname.slice(0, SHOWN_OF_PATH);
    const path = operationPath(this.registry, request, pathname);
    // The identity of a person does not depend on the body, so nothing is read for strangers.
    const person = isOfConsole(request) ? await this.people.authenticate(request) : undefined;
    const call = person
      ? await this.people.read(request, this.config.maxBodyBytes)
      : await readFields(request, this.config.maxBodyBytes);
    const characters = call.request?.length ?? 0;
    // Large calls are computed in parts, and other requests run in between.
    if (isLarge(characters)) await others();
    const action = call.action || 'get';
    if (this.registry.find(path, action)) {
      known.operation = `${action} ${path}`;
      known.path = undefined;
    }
    const caller = person ?? (await this.consumer(call, known));
    known.consumer = caller.key;
    const endpoint = endpointAt(this.registry, path, action);
    await this.countAgainstLimit(caller, action, path, headers);
    caller.checkFeature(endpoint.declaration);
    return this.semaphore.run(caller.key, characters, (running) =>
      this.execute(endpoint, call, caller, known, running),
    );
  }

  private async consumer(call: SignedCall, known: Known): Promise<Caller> {
    const consumer = await this.access.authenticate(call, (key) => (known.claimed_consumer = key));
    known.claimed_consumer = undefined;
    return new ConsumerCaller(consumer, this.access);
  }

  private async countAgainstLimit(
    caller: Caller,
    action: string,
    path: string,
    headers: Reply['headers'],
  ): Promise<void> {
    const { allowed, limit, remaining, resetMs } = await caller.take(action, path);
    const seconds = Math.ceil(resetMs / 1000);
    headers['RateLimit-Limit'] = limit;
    headers['RateLimit-Remaining'] = remaining;
    headers['RateLimit-Reset'] = seconds;
    if (allowed) return;
    headers['Retry-After'] = seconds;
    throw new Fault(
      'too-many-requests',
      `More than ${limit} ${action} requests to ${path} within 5 seconds; send the next one in ${seconds} s.`,
    );
  }

  private async execute(
    endpoint: Endpoint,
    call: SignedCall,
    caller: Caller,
    known: Known,
    running: RunningCall,
  ): Promise<string> {
    const sent = parametersIn(parseRequest(call.request), endpoint.declaration.nestedIn);
    if (isLarge(call.request?.length ?? 0)) await others();
    try {
      return await this.perform(this.registry.chosen(endpoint, sent.parameters), sent, call, caller, known, running);
    } catch (error) {
      throw sent.relocated(error);
    }
  }

  private async perform(
    { declaration, handler, check }: Endpoint,
    { parameters: sent, located }: Parameters,
    call: SignedCall,
    caller: Caller,
    known: Known,
    running: RunningCall,
  ): Promise<string> {
    const operation = `${declaration.action} ${declaration.path}`;
    // Paging tokens are bound to the filters as sent, because reading a request changes it.
    const next = sent.next;
    const paged = 'next' in declaration.input.properties;
    const filters = paged ? this.tokens.filtersOf(sent) : '';
    const unknown = unknownMembers(declaration.input, sent);
    const input = check.read(sent, call.request?.length ?? 0) as {
      organisation_id?: number;
      item_pool_id?: string;
      as_of?: number;
      meta?: { user?: Author; idempotency_key?: string };
    };
    const organisation = caller.organisationFor(declaration, input.organisation_id);
    caller.checkInput(declaration, organisation, input);
    if (organisation !== EVERY_ORGANISATION) known.organisation = organisation;
    const now = this.clock.now();
    // Undeclared members were not read and have no effect.
    const { properties } = declaration.input;
    const reads = {
      item_pool_id: 'item_pool_id' in properties ? input.item_pool_id : undefined,
      as_of: 'as_of' in properties ? input.as_of : undefined,
    };
    const scope: Scope = {
      shelf: await shelfOf(organisation, reads, now, this.pools),
      author: caller.author(input.meta?.user),
      operation,
      request: known.request_id,
      now,
      readable: caller.readable(declaration),
      ...(caller.mayPublish(organisation) ? {} : { cannotPublish: true as const }),
    };
    known.pool = scope.shelf.pool && reads.item_pool_id;
    known.as_of = scope.shelf.asOf;
    const after =
      paged && typeof next === 'string' ? this.tokens.read(next, operation, organisation, filters) : undefined;
    const execute = (): Promise<Result> => handler.execute(input, scope, after);
    const key = hasEffect(declaration) ? input.meta?.idempotency_key : undefined;
    const result =
      key === undefined
        ? await execute()
        : await this.once({ organisation, consumer: caller.key, key, operation }, call, execute, known, running);
    const token = result.after && this.tokens.write(result.after, operation, organisation, filters);
    const warnings = [...unknown, ...emptyLists(declaration, input)].map((warning) => ({
      ...warning,
      pointer: located(warning.pointer),
    }));
    const shown = caller.shown(declaration, organisation, result);
    return success(withWarnings(shown, warnings), token, this.clock.now());
  }

  private async once(
    name: { organisation: number; consumer: string; key: string; operation: string },
    call: SignedCall,
    execute: () => Promise<Result>,
    known: Known,
    running: RunningCall,
  ): Promise<Result> {
    // Parse again, because reading changed the first result.
    const request = parseRequest(call.request);
    const { result, replayed } = await this.idempotency.once({ ...name, request }, execute, running.releaseWhile);
    if (replayed) known.replayed = true;
    return replayed ? { ...result, meta: { ...result.meta, idempotent_replay: true } } : result;
  }
}

function recordOutcome(span: Span, known: Known, status: number, code: number | undefined): void {
  span.rename(known.operation ?? 'unknown operation');
  span.set({
    'http.request.method': 'POST',
    'http.response.status_code': status,
    'itembank.code': code,
    'itembank.request': known.request_id,
    'itembank.consumer': known.consumer,
    'itembank.organisation': known.organisation,
    'itembank.pool': known.pool,
  });
  if (status >= 500) span.failed(`HTTP ${status}`);
}
