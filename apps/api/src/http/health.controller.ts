import { Controller, Get, Inject, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Database } from '#platform';
import { send } from './envelope';

/** Whether the process runs, and whether it can do its work. */
@Controller('health')
export class HealthController {
  constructor(@Inject(Database) private readonly database: Database) {}

  @Get('live')
  live(@Res() response: Response): void {
    send(response, 200, '{"status":"ok"}');
  }

  @Get('ready')
  async ready(@Res() response: Response): Promise<void> {
    try {
      await this.database.rows('SELECT 1 AS ready');
      send(response, 200, '{"status":"ok","database":"up"}');
    } catch {
      send(response, 503, '{"status":"unavailable","database":"down"}');
    }
  }
}
