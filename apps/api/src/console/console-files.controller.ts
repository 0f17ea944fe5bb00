import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Next, Req, Res } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { Config, PACKAGE_ROOT } from '#platform';

const FOLDER = join(PACKAGE_ROOT, 'dist/apps/console');
const PAGE = 'index.html';
/** The page that shows content of the bank. It may run scripts of this service, and has no other rights. */
const FRAME = 'frame.html';
/** Files with a hash of their content in their names. */
const ASSETS = /^assets\/[\w.-]+$/;

/** Addresses that calls have too: people open `/console/people` as a screen, and the screen reads its data there. */
const CALLS = /^(session|people|consumers)(\/|$)/;

/** No script stands in a page. Styles may: the component library and the editor write some while they run. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const FRAME_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src * data:; media-src *; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** The files of the console. All addresses without a file of their own are screens, which the page itself finds. */
@Controller('console')
export class ConsoleFilesController {
  constructor(private readonly config: Config) {}

  @Get(['', '*path'])
  file(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
    if (!this.config.console || !existsSync(join(FOLDER, PAGE))) return next();
    if (request.path === '/console') return response.redirect(308, 'console/');
    const name = request.path.slice('/console/'.length);
    if (CALLS.test(name) && request.accepts(['json', 'html']) !== 'html') return next();
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (ASSETS.test(name)) {
      if (!existsSync(join(FOLDER, name))) return next();
      // The frame has an origin of its own, to which browsers give scripts and fonts only with this header.
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.sendFile(name, { root: FOLDER, immutable: true, maxAge: '1y' });
      return;
    }
    const page = name === FRAME ? FRAME : PAGE;
    response.setHeader('Content-Security-Policy', page === FRAME ? FRAME_POLICY : PAGE_POLICY);
    response.sendFile(page, { root: FOLDER, cacheControl: false, headers: { 'Cache-Control': 'no-cache' } });
  }
}
