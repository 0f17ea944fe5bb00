import { randomBytes } from 'node:crypto';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Req,
  UseFilters,
  UseGuards,
  UsePipes,
} from '@nestjs/common';
import { Audit } from '#access';
import {
  Deliveries,
  EVENT_KINDS,
  EventSinks,
  type ListedAttempt,
  type ListedDelivery,
  type OfSink,
  type SinkState,
} from '#events';
import { Clock, Fault, UnitOfWork } from '#kernel';
import { authorOf, type SignedIn } from '#people';
import { bodyValidation } from '../http/body-validation';
import { RedeliveryBody, SinkChangesBody, StreamBody, WebhookBody } from './bodies';
import { ConsoleErrors } from './console-errors.filter';
import { type ConsoleCall, ConsoleGuard, FreshOperators, operatedIn, Operators } from './console.guard';

/** How many deliveries a list shows. */
const LIMIT = 100;
const SECRET_BYTES = 32;
const SUBJECTS = { webhook: 'webhook', stream: 'event_stream' } as const;

/** Lets operators set up who receives events, see deliveries that failed, and deliver again. */
@Controller('console/events/:organisation')
@UseGuards(ConsoleGuard)
@UseFilters(ConsoleErrors)
@UsePipes(bodyValidation())
export class EventsController {
  constructor(
    private readonly sinks: EventSinks,
    private readonly deliveries: Deliveries,
    private readonly audit: Audit,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  @Operators()
  @Get('sinks')
  async list(@Req() { by }: ConsoleCall, @Param('organisation') id: string) {
    const organisation = operatedIn(id, by!);
    const states = await this.deliveries.states([organisation]);
    return { sinks: states.map(viewOf), kinds: EVENT_KINDS, has_streams: this.sinks.faultOfStreams === undefined };
  }

  /** Attempts that failed, newest first. */
  @Operators()
  @Get('failed')
  async failed(@Req() { by }: ConsoleCall, @Param('organisation') id: string, @Query('sink') sink: unknown) {
    const organisation = operatedIn(id, by!);
    const filter = { sink: nameOf(sink), failed: true, limit: LIMIT };
    return (await this.deliveries.attempts([organisation], filter)).map(viewOfAttempt);
  }

  /** Deliveries that were given up, latest first. */
  @Operators()
  @Get('dead')
  async dead(@Req() { by }: ConsoleCall, @Param('organisation') id: string, @Query('sink') sink: unknown) {
    const organisation = operatedIn(id, by!);
    return (await this.deliveries.dead([organisation], { sink: nameOf(sink), limit: LIMIT })).map(viewOfDelivery);
  }

  /** The secret is returned only here. */
  @FreshOperators()
  @Post('webhooks')
  async addWebhook(@Req() { by }: ConsoleCall, @Param('organisation') id: string, @Body() body: WebhookBody) {
    const organisation = operatedIn(id, by!);
    const { name, url, kinds } = body;
    const fault = this.sinks.faultOfUrl(url);
    if (fault) throw new Fault('value', `The url ${fault}.`, '/url');
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    await this.add({ organisation, type: 'webhook', name, after: { url, kinds } }, by!, () =>
      this.sinks.putWebhooks(organisation, [{ type: 'webhook', name, url, kinds: orAll(kinds), secret }]),
    );
    return { name, secret };
  }

  @FreshOperators()
  @Post('streams')
  async addStream(@Req() { by }: ConsoleCall, @Param('organisation') id: string, @Body() body: StreamBody) {
    const organisation = operatedIn(id, by!);
    const { name, stream, max_length: maxLength, kinds } = body;
    const after = { stream, max_length: maxLength, kinds };
    await this.add({ organisation, type: 'stream', name, after }, by!, () =>
      this.sinks.putStreams(organisation, [{ type: 'stream', name, stream, maxLength, kinds: orAll(kinds) }]),
    );
    return { name };
  }

  /** Removes a receiver and its pending deliveries. */
  @FreshOperators()
  @Delete(':type/:name')
  @HttpCode(204)
  async remove(
    @Req() { by }: ConsoleCall,
    @Param('organisation') id: string,
    @Param('type') path: string,
    @Param('name') name: string,
  ) {
    const organisation = operatedIn(id, by!);
    const type = typeIn(path);
    await this.work.run(async () => {
      const before = await this.existing(organisation, type, name);
      await this.sinks.remove(organisation, type, [name]);
      await this.record({ organisation, type, name, before: viewOf(before) }, by!);
    });
  }

  /** Pauses or resumes a receiver. Its events wait while it is paused. */
  @Operators()
  @Patch(':type/:name')
  @HttpCode(204)
  async change(
    @Req() { by }: ConsoleCall,
    @Param('organisation') id: string,
    @Param('type') type: string,
    @Param('name') name: string,
    @Body() { paused }: SinkChangesBody,
  ) {
    const organisation = operatedIn(id, by!);
    await this.work.run(async () => {
      const sink = await this.existing(organisation, typeIn(type), name);
      await this.sinks.setPaused(sink, paused, authorOf(by!.person));
    });
  }

  /** Delivers the named events again, or all that were given up. Returns the number of restarted deliveries. */
  @Operators()
  @Post('redeliveries')
  @HttpCode(200)
  async redeliver(@Req() { by }: ConsoleCall, @Param('organisation') id: string, @Body() body: RedeliveryBody) {
    const organisation = operatedIn(id, by!);
    const { sink, events } = body;
    const states = await this.deliveries.states([organisation]);
    if (!states.some(({ sink: { name } }) => name === sink))
      throw new Fault('reference-unknown', 'There is no such receiver in this organisation.', '/sink');
    const deliveries = events
      ? await this.deliveries.redeliver([organisation], { sink, events })
      : await this.deliveries.redeliverDead([organisation], { sink });
    return { deliveries };
  }

  private async add(change: SinkChange, by: SignedIn, put: () => Promise<void>): Promise<void> {
    await this.work.run(async () => {
      if (await this.found(change.organisation, change.type, change.name))
        throw new Fault('duplicate', `A receiver of this kind is named ${change.name} already.`, '/name');
      await put();
      await this.record(change, by);
    });
  }

  private async existing(organisation: number, type: 'webhook' | 'stream', name: string) {
    const found = await this.found(organisation, type, name);
    if (!found) throw new Fault('reference-unknown', 'There is no such receiver in this organisation.');
    return found;
  }

  private async found(organisation: number, type: 'webhook' | 'stream', name: string) {
    const states = await this.deliveries.states([organisation]);
    return states.find(({ sink }) => sink.type === type && sink.name === name);
  }

  private async record({ organisation, type, name, before, after }: SinkChange, by: SignedIn): Promise<void> {
    const operation = `${after ? 'create' : 'remove'} ${type}`;
    const scope = { shelf: { organisation }, operation, now: this.clock.now(), author: authorOf(by.person) };
    const detail = { before: before ?? null, after: after ?? null };
    await this.audit.record([{ subject: SUBJECTS[type], key: name, detail }], scope);
  }
}

interface SinkChange {
  organisation: number;
  type: 'webhook' | 'stream';
  name: string;
  before?: object;
  after?: object;
}

const typeIn = (path: string) => (path === 'webhooks' ? 'webhook' : 'stream');

const nameOf = (sink: unknown): string | undefined => (typeof sink === 'string' && sink !== '' ? sink : undefined);

const orAll = <T>(kinds: readonly T[]) => (new Set(kinds).size === EVENT_KINDS.length ? null : kinds);

const isoOrNull = (time: number | null) => (time === null ? null : new Date(time).toISOString());

function viewOf({ sink, reached, waiting, dead, failingSince, pausedUntil, pausedAt }: SinkState) {
  const target = sink.type === 'webhook' ? { url: sink.url } : { stream: sink.stream, max_length: sink.maxLength };
  return {
    name: sink.name,
    type: sink.type,
    ...target,
    kinds: sink.kinds ?? EVENT_KINDS,
    reached,
    waiting,
    dead,
    failing_since: isoOrNull(failingSince),
    paused_until: isoOrNull(pausedUntil),
    paused_at: isoOrNull(pausedAt),
  };
}

const viewOfAttempt = ({ attemptedAt, sink, event, number, attempt, answer, durationMs }: OfSink<ListedAttempt>) => ({
  attempted_at: new Date(attemptedAt).toISOString(),
  sink,
  event,
  number,
  attempt,
  outcome: answer.outcome,
  http_status: answer.httpStatus,
  error: answer.error,
  duration_ms: durationMs,
});

const viewOfDelivery = ({ sink, event, number, kind, key, attempts, changedAt }: OfSink<ListedDelivery>) => ({
  sink,
  event,
  number,
  kind,
  key,
  attempts,
  given_up_at: new Date(changedAt).toISOString(),
});
