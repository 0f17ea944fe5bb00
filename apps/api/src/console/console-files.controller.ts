import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Next, Req, Res } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { Clock } from '#kernel';
import { Config, type FileName, Files, PACKAGE_ROOT } from '#platform';
import { sendStaticFile } from '../http/static-file';

const FOLDER = join(PACKAGE_ROOT, 'dist/apps/console');
const PAGE = 'index.html';
const SECOND = 1000;
/** The page that shows content of the bank. It may run scripts of this service, and has no other rights. */
const FRAME = 'frame.html';
/** Files with a hash of their content in their names. */
const ASSETS = /^assets\/[\w.-]+$/;

/** Addresses that calls have too: people open `/console/people` as a screen, and the screen reads its data there. */
const CALLS = /^(session|people|consumers|health|events)(\/|$)/;

/**
 * Pages contain no inline scripts. Inline styles are allowed, because the component library and the editor add some at
 * run time. Trusted Types keep scripts from setting markup (decision 99).
 * @param files the origins of signed file addresses.
 */
const pagePolicy = (files: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self' ${files}; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default parsing`;
const FRAME_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src * data:; media-src *; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** The files of the console. All other addresses are screens, which the page resolves itself. */
@Controller('console')
export class ConsoleFilesController {
  constructor(
    private readonly config: Config,
    private readonly files: Files,
    private readonly clock: Clock,
  ) {}

  @Get(['', '*path'])
  async file(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): Promise<void> {
    if (!this.config.console || !existsSync(join(FOLDER, PAGE))) return next();
    if (request.path === '/console') return response.redirect(308, 'console/');
    const name = request.path.slice('/console/'.length);
    if (CALLS.test(name) && request.accepts(['json', 'html']) !== 'html') return next();
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (ASSETS.test(name)) {
      // The sandboxed frame has an opaque origin. Browsers load scripts and fonts into it only with this header.
      response.setHeader('Access-Control-Allow-Origin', '*');
      if (!sendStaticFile(request, response, name, { root: FOLDER, immutable: true, maxAge: '1y' })) next();
      return;
    }
    const page = name === FRAME ? FRAME : PAGE;
    const policy = page === FRAME ? FRAME_POLICY : pagePolicy(await this.originOfFiles());
    response.setHeader('Content-Security-Policy', policy);
    const headers = { 'Cache-Control': 'no-cache' };
    sendStaticFile(request, response, page, { root: FOLDER, cacheControl: false, headers });
  }

  /**
   * The origins to which the page uploads files and from which it reads files of jobs. A store may have its own origin.
   * Empty if no addresses can be signed.
   */
  private async originOfFiles(): Promise<string> {
    const any: FileName = { area: 'private', owner: 1, key: 'console' };
    try {
      return new URL(await this.files.readAddress(any, this.clock.now() + SECOND)).origin;
    } catch {
      return '';
    }
  }
}
