import { Controller, Get, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type MonitoringAnswer } from '#platform';
import { Health, LIVE } from '#runtime/modules';
import { send } from './envelope';

/** Liveness and readiness of the process. */
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('live')
  live(@Res() response: Response): void {
    answer(response, LIVE);
  }

  @Get('ready')
  async ready(@Res() response: Response): Promise<void> {
    answer(response, await this.health.readiness());
  }
}

function answer(response: Response, { status, body }: MonitoringAnswer): void {
  send(response, status, body, { 'Cache-Control': 'no-store' });
}
