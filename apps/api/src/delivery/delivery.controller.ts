import {
  All,
  Body,
  Controller,
  HttpCode,
  Options,
  Post,
  Put,
  Req,
  Res,
  UseFilters,
  UseGuards,
  UsePipes,
} from '@nestjs/common';
import { type Response } from 'express';
import { Attempts, Checks, NextItems, type PageSave, Saves, Supervisions } from '#delivery';
import { Fault, type FaultDetail, type JsonObject, parseRequest, pointerPart, throwAny } from '#kernel';
import { bodyValidation } from '../http/body-validation';
import { CheckBody, MAX_RESPONSES, PauseBody, SaveBody, StartBody, SupervisionBody } from './bodies';
import { Open, PageCalls, type PageCall } from './page-calls.guard';
import { PageErrors } from './page-errors.filter';

/** Tests in the browser: the calls of player pages (decision 55). */
@Controller('delivery/v1')
@UseGuards(PageCalls)
@UseFilters(PageErrors)
@UsePipes(bodyValidation())
export class DeliveryController {
  constructor(
    private readonly attempts: Attempts,
    private readonly saves: Saves,
    private readonly checks: Checks,
    private readonly nextItems: NextItems,
    private readonly supervisions: Supervisions,
  ) {}

  @Open()
  @Post('sessions')
  @HttpCode(200)
  async start(@Req() call: PageCall, @Body() { security, request, action }: StartBody) {
    const { origin, 'user-agent': userAgent } = call.headers;
    const signed = { security: JSON.stringify(security), request, action };
    const page = await this.attempts.authenticate(signed, origin, call.ip ?? '', () => undefined);
    call.known.consumer = page.consumer.key;
    return this.attempts.start(page, parseRequest(request) as JsonObject, userAgent);
  }

  @Put('sessions/current/responses')
  async save(@Req() { page }: PageCall, @Body() body: SaveBody) {
    return this.saves.save(page!, saveOf(body));
  }

  @Post('sessions/current/submissions')
  @HttpCode(200)
  async submit(@Req() { page }: PageCall, @Body() body: SaveBody) {
    const save = saveOf(body);
    if (page!.terms.type !== 'local_practice') return this.saves.submit(page!, save);
    return { status: 'Completed', submitted_at: null, ...(await this.checks.practised(page!, save.responses)) };
  }

  /** Saves, and returns the next item of an adaptive test. */
  @Post('sessions/current/items')
  @HttpCode(200)
  async next(@Req() { page }: PageCall, @Body() body: SaveBody) {
    return this.nextItems.next(page!, saveOf(body));
  }

  @Post('sessions/current/pauses')
  @HttpCode(200)
  async pause(@Req() { page }: PageCall, @Body() { paused }: PauseBody) {
    return this.saves.pause(page!, paused);
  }

  /** Checks the password of a supervisor. Extends or discards the session if asked. */
  @Post('sessions/current/supervisions')
  @HttpCode(200)
  async supervise(@Req() { page }: PageCall, @Body() { password, action, seconds }: SupervisionBody) {
    if (action === 'extend') return this.supervisions.extend(page!, password, seconds!);
    if (action === 'discard') return this.supervisions.discard(page!, password);
    return this.supervisions.unlock(page!, password);
  }

  @Post('sessions/current/checks')
  @HttpCode(200)
  async check(@Req() { page }: PageCall, @Body() { response_id: responseId, response = null }: CheckBody) {
    return this.checks.check(page!, responseId, response as JsonObject | null);
  }

  /** Answers the preflight requests of browsers. */
  @Open()
  @Options('*path')
  @HttpCode(204)
  preflight(): void {
    // The guard has set the headers.
  }

  @Open()
  @All('*path')
  other(@Req() call: PageCall, @Res({ passthrough: true }) _: Response): never {
    const paths = [
      'sessions',
      ...['responses', 'submissions', 'items', 'pauses', 'supervisions', 'checks'].map(
        (each) => `sessions/current/${each}`,
      ),
    ];
    const path = call.path.replace(/^\/delivery\/v1\//, '').replace(/\/$/, '');
    if (paths.includes(path))
      throw new Fault(
        'method',
        `Call ${path} with ${path === 'sessions/current/responses' ? 'PUT' : 'POST'}; this was ${call.method}.`,
      );
    throw new Fault(
      'no-endpoint',
      `There is nothing at this path. The paths below /delivery/v1 are ${paths.join(', ')}.`,
    );
  }
}

function saveOf({ save_number, responses, items = [], current_item, elapsed_seconds }: SaveBody): PageSave {
  const entries = Object.entries(responses);
  if (entries.length > MAX_RESPONSES)
    throw new Fault(
      'too-many',
      `responses may hold at most ${MAX_RESPONSES} entries; it holds ${entries.length}.`,
      '/responses',
    );
  const faults = entries
    .filter(([, response]) => typeof response !== 'object' || Array.isArray(response))
    .map(([id]): FaultDetail => {
      const at = `/responses/${pointerPart(id.slice(0, 200))}`;
      return { kind: 'type', at, message: 'A response must be an object with the value, or null.' };
    });
  throwAny(faults);
  return {
    saveNumber: save_number,
    responses: responses as PageSave['responses'],
    items: (items ?? []).map(({ id, time, user_flagged: flagged }) => ({
      id,
      ...(isAbsent(time) ? {} : { time }),
      ...(isAbsent(flagged) ? {} : { flagged }),
    })),
    ...(isAbsent(current_item) ? {} : { currentItem: current_item }),
    ...(isAbsent(elapsed_seconds) ? {} : { elapsed: elapsed_seconds }),
  };
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;
