import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { Controller, HttpCode, Inject, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { Fault } from '#kernel';
import { LOGGER, type Logger, LongReads, type Progress, Verifications } from '#platform';
import { ConsoleErrors } from './console-errors.filter';
import { type ConsoleCall, ConsoleGuard, operatedIn, Operators } from './console.guard';

/** The interval between two progress lines of one check. */
const INTERVAL_MS = 500;

/**
 * Checks the stored data of an organisation while the page listens. The answer has one JSON object per line: `progress`,
 * `finding`, and at last `end`. Nothing is stored, and the check ends when the page closes the connection.
 */
@Controller('console/verifications')
@UseGuards(ConsoleGuard)
@UseFilters(ConsoleErrors)
export class VerificationController {
  /** A run loads the database heavily, so each process allows one at a time. */
  private isRunning = false;

  constructor(
    private readonly verifications: Verifications,
    private readonly longReads: LongReads,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Operators()
  @Post(':organisation')
  @HttpCode(200)
  async verify(@Req() { by, known }: ConsoleCall, @Param('organisation') id: string, @Res() response: ServerResponse) {
    const organisation = operatedIn(id, by!);
    if (this.isRunning) throw new Fault('conflict', 'Another verification is running. Wait until it has ended.');
    this.isRunning = true;
    const left = new AbortController();
    response.once('close', () => left.abort());
    try {
      response.writeHead(200, {
        'Content-Type': 'application/x-ndjson; charset=utf-8',
        // Proxies that buffer answers would hide the progress.
        'X-Accel-Buffering': 'no',
      });
      await this.longReads.run(() => this.run(organisation, response, left.signal));
      response.end();
    } catch (error) {
      // The answer has already begun. Its reader sees the failure by the missing line `end`.
      if (!left.signal.aborted) this.log.error({ err: error, ...known }, 'verification failed');
      response.destroy();
    } finally {
      this.isRunning = false;
    }
  }

  /** @param left aborted when the page has closed the connection, so that nobody reads the rest. */
  private async run(organisation: number, response: ServerResponse, left: AbortSignal): Promise<void> {
    let rows = 0;
    let toldAt = 0;
    const write = (line: object) => {
      left.throwIfAborted();
      return response.write(`${JSON.stringify(line)}\n`);
    };
    const tell = ({ check, rows: checked, isDone }: Progress) => {
      left.throwIfAborted();
      if (isDone) rows += checked;
      else if (performance.now() - toldAt < INTERVAL_MS) return;
      toldAt = performance.now();
      write({ record: 'progress', check, rows: checked, is_done: isDone });
    };
    for await (const { kind, reference, found, expected } of this.verifications.findings(organisation, tell))
      if (!write({ record: 'finding', kind, reference, found, expected }))
        await once(response, 'drain', { signal: left });
    write({ record: 'end', rows });
  }
}
