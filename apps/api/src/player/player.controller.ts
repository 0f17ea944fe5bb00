import { join } from 'node:path';
import { Controller, Get, Next, Req, Res } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { PACKAGE_ROOT } from '#platform';
import { sendStaticFile } from '../http/static-file';

const FOLDER = join(PACKAGE_ROOT, 'dist/apps/player');
/** File names with a hash of the content. */
const HASHED = /-[\w-]{8}\.\w+$/;

/** The files of the player, for pages of any host. */
@Controller('player')
export class PlayerController {
  @Get('*path')
  file(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
    const name = request.path.slice('/player/'.length);
    if (!/^[\w-]+(\/[\w-]+)*(\.[\w-]+)+$/.test(name)) return next();
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const age = HASHED.test(name) ? { immutable: true, maxAge: '1y' } : { maxAge: '5m' };
    if (!sendStaticFile(request, response, name, { root: FOLDER, ...age })) next();
  }
}
