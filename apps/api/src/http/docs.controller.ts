import { Controller, Get, Res } from '@nestjs/common';
import { type Response } from 'express';
import { openApiDocument } from '../operation/describe/openapi';
import { send } from './envelope';

/** The description of the service, for programs and for people. */
@Controller()
export class DocsController {
  private readonly document = JSON.stringify(openApiDocument());

  @Get('openapi.json')
  openapi(@Res() response: Response): void {
    send(response, 200, this.document);
  }
}
