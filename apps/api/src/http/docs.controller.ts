import { randomUUID } from 'node:crypto';
import { All, Controller, Next, Req, Res } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { Clock, Fault } from '#kernel';
import { Config } from '#platform';
import { openApiDocument } from '../declaration/describe/openapi';
import { failure, send } from './envelope';
import { Guides, REFERENCE } from './guides';
import { ICON, PAGE_HEADERS, STYLE } from './html-page';
import { welcomePage } from './welcome-page';

const LINKS = JSON.stringify({ docs: '/docs', openapi: '/openapi.json', health: '/health/ready' });

/** Static files of the pages, by name below /docs. */
const FILES = new Map([
  ['page.css', { type: 'text/css; charset=utf-8', text: STYLE }],
  ['icon.svg', { type: 'image/svg+xml', text: ICON }],
]);

/** The documentation of the service, for programs and for people. */
@Controller()
export class DocsController {
  private readonly guides = new Guides();
  /** Generated on first use. */
  private document: string | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** A page for clients that accept HTML, such as browsers; links for all others. */
  @All()
  welcome(@Req() request: Request, @Res() response: Response): void {
    if (!this.isRead(request, response)) return;
    if (request.accepts(['json', 'html']) === 'html')
      send(response, 200, welcomePage(this.config), { ...PAGE_HEADERS, Vary: 'Accept', 'Cache-Control': 'no-store' });
    else send(response, 200, LINKS, { Vary: 'Accept' });
  }

  @All('openapi.json')
  openapi(@Req() request: Request, @Res() response: Response): void {
    if (!this.isRead(request, response)) return;
    this.document ??= JSON.stringify(openApiDocument());
    send(response, 200, this.document);
  }

  @All('docs')
  reference(@Req() request: Request, @Res() response: Response): void {
    if (!this.isRead(request, response)) return;
    // Serves the page with and without a slash at the end, because some proxies break redirects.
    send(response, 200, this.guides.page(REFERENCE, request.path.endsWith('/') ? '../' : './')!, PAGE_HEADERS);
  }

  @All('docs/*name')
  file(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
    const name = request.path.slice('/docs/'.length);
    const file = FILES.get(name);
    const page = file ? undefined : this.guides.page(name);
    if (!file && page === undefined) return next();
    if (!this.isRead(request, response)) return;
    if (file) send(response, 200, file.text, { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=3600' });
    else send(response, 200, page!, PAGE_HEADERS);
  }

  /** Rejects methods other than GET and HEAD. */
  private isRead({ method, path }: Request, response: Response): boolean {
    if (method === 'GET' || method === 'HEAD') return true;
    const fault = new Fault('method', `${path} is read with GET; this was ${method}.`);
    const { status, body } = failure(fault, randomUUID(), this.clock.now());
    send(response, status, body, { Allow: 'GET, HEAD' });
    return false;
  }
}
