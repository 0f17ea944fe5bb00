import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { All, Controller, Inject, Next, Param, Req, Res } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { Clock, Fault } from '#kernel';
import { openApiDocument } from '../operation/describe/openapi';
import { docsPage, PAGE_FILES, PAGE_POLICY } from './docs-page';
import { failure, send } from './envelope';

const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
const LINKS = JSON.stringify({ docs: '/docs', openapi: '/openapi.json', health: '/health/ready' });

/** The description of the service, for programs and for people. */
@Controller()
export class DocsController {
  /** Made when it is first asked for. */
  private document: string | undefined;

  constructor(@Inject(Clock) private readonly clock: Clock) {}

  @All()
  links(@Req() request: Request, @Res() response: Response): void {
    if (this.isRead(request, response)) send(response, 200, LINKS);
  }

  @All('openapi.json')
  openapi(@Req() request: Request, @Res() response: Response): void {
    if (!this.isRead(request, response)) return;
    this.document ??= JSON.stringify(openApiDocument());
    send(response, 200, this.document);
  }

  @All('docs')
  page(@Req() request: Request, @Res() response: Response): void {
    if (!this.isRead(request, response)) return;
    // Served at both addresses, since a redirect would not survive every proxy.
    const html = docsPage(request.path.endsWith('/') ? './' : './docs/');
    send(response, 200, html, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_POLICY });
  }

  @All('docs/:file')
  async file(
    @Param('file') name: string,
    @Req() request: Request,
    @Res() response: Response,
    @Next() next: NextFunction,
  ): Promise<void> {
    const file = PAGE_FILES.get(name);
    if (!file) return next();
    if (!this.isRead(request, response)) return;
    const body = file.text ?? (await readFile(join(SWAGGER_UI, name)));
    send(response, 200, body, { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=3600' });
  }

  /** Anything but GET and HEAD is answered here. */
  private isRead({ method, path }: Request, response: Response): boolean {
    if (method === 'GET' || method === 'HEAD') return true;
    const fault = new Fault('method', `${path} is read with GET; this was ${method}.`);
    const { status, body } = failure(fault, randomUUID(), this.clock.now());
    send(response, status, body, { Allow: 'GET, HEAD' });
    return false;
  }
}
