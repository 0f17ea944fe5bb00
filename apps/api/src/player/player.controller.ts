import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Next, Req, Res } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { PACKAGE_ROOT } from '#platform';

const FOLDER = join(PACKAGE_ROOT, 'dist/apps/player');
/** Names hold the hash of what is in them. */
const HASHED = /-[\w-]{8}\.\w+$/;

/** The files of the player, for pages of any host. */
@Controller('player')
export class PlayerController {
  @Get('*path')
  file(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
    const name = request.path.slice('/player/'.length);
    if (!/^[\w-]+(\/[\w-]+)*(\.[\w-]+)+$/.test(name) || !existsSync(join(FOLDER, name))) return next();
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.sendFile(name, {
      root: FOLDER,
      dotfiles: 'ignore',
      ...(HASHED.test(name) ? { immutable: true, maxAge: '1y' } : { maxAge: '5m' }),
    });
  }
}
