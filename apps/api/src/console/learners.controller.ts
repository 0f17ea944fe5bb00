import { type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Body, Controller, HttpCode, Post, Req, Res, UseFilters, UseGuards, UsePipes } from '@nestjs/common';
import { checkText, Fault } from '#kernel';
import { erasureView, type ExportLine, LearnerErasure, LearnerExport } from '#learners';
import { authorOf, type SignedIn } from '#people';
import { bodyValidation } from '../http/body-validation';
import { LearnerBody } from './bodies';
import { ConsoleErrors } from './console-errors.filter';
import { type ConsoleCall, ConsoleGuard, FreshOperators, operatedBy, Operators } from './console.guard';

/**
 * Lets operators see, export and erase what is stored about a learner. All calls send the learner's id in a body, because
 * addresses are logged.
 */
@Controller('console/learners')
@UseGuards(ConsoleGuard)
@UseFilters(ConsoleErrors)
@UsePipes(bodyValidation())
export class LearnersController {
  constructor(
    private readonly erasure: LearnerErasure,
    private readonly exports: LearnerExport,
  ) {}

  /** Shows what an erasure would remove, and the times of earlier erasures. */
  @Operators()
  @Post('look')
  @HttpCode(200)
  async look(@Req() { by }: ConsoleCall, @Body() body: LearnerBody) {
    const { user_id: user, organisation } = checked(body, by!);
    const report = await this.erasure.erase(user, organisation, { dryRun: true });
    const times = await this.erasure.times(user, organisation);
    return { ...erasureView(report), erased_at: times.map((time) => new Date(time).toISOString()) };
  }

  /** One JSON object per line. A last line `incomplete` says what could not be exported. */
  @Operators()
  @Post('export')
  @HttpCode(200)
  async export(@Req() { by }: ConsoleCall, @Body() body: LearnerBody, @Res() response: ServerResponse) {
    const { user_id: user, organisation } = checked(body, by!);
    const lines = this.exports.lines(user, organisation);
    // Waits for the first line before it sends the status, so that an error before that line is answered as an error.
    const first = await lines.next();
    response.writeHead(200, {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': 'attachment; filename="learner.ndjson"',
    });
    await pipeline(Readable.from(textOf(first, lines)), response);
  }

  @FreshOperators()
  @Post('erase')
  @HttpCode(200)
  async erase(@Req() { by }: ConsoleCall, @Body() body: LearnerBody) {
    const { user_id: user, organisation } = checked(body, by!);
    return erasureView(await this.erasure.erase(user, organisation, { dryRun: false, author: authorOf(by!.person) }));
  }
}

function checked(body: LearnerBody, by: SignedIn): LearnerBody {
  if (!operatedBy(by).includes(body.organisation))
    throw new Fault('no-rights', `You are not an operator of organisation ${body.organisation}.`, '/organisation');
  checkText(body.user_id, '/user_id');
  return body;
}

async function* textOf(first: IteratorResult<ExportLine>, rest: AsyncGenerator<ExportLine>) {
  const line = (each: object) => `${JSON.stringify(each)}\n`;
  if (!first.done) yield line(first.value);
  try {
    for await (const each of rest) yield line(each);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield line({ record: 'incomplete', message: error.message });
  }
}
