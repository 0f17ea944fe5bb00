import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Fault } from '#kernel';
import { type Begun, OpenId, SignIns } from '#people';
import { LOGGER, type Logger } from '#platform';
import { ConsoleCalls } from './console-calls';
import { clearKept, cookieOf, keep, kept, nameFor, setCookie } from './cookies';

/** The start page of the console. Its parameter names the reason of a failed sign-in: `?openid=refused`. */
const CONSOLE = '/console/';

/** Redirects browsers to a provider of OpenID Connect, and receives them afterwards. Every answer is a redirect, unless the console is off. */
@Controller('console/openid')
export class OpenIdController {
  constructor(
    private readonly calls: ConsoleCalls,
    private readonly openId: OpenId,
    private readonly signIns: SignIns,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Get()
  async begin(@Req() request: Request, @Res() response: Response, @Query('confirm') confirm?: unknown) {
    this.calls.checkOn();
    await this.redirect(response, async () => {
      nameFor(request);
      const { url, begun } = await this.openId.begin(confirm !== undefined);
      keep(request, response, Buffer.from(JSON.stringify(begun)).toString('base64url'));
      return url;
    });
  }

  @Get('callback')
  async finish(@Req() request: Request, @Res() response: Response) {
    this.calls.checkOn();
    await this.redirect(response, async () => {
      const begun = begunIn(kept(request));
      clearKept(request, response);
      const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
      const browser = request.headers['user-agent'] ?? '';
      const secret = await this.openId.finish(query, begun, request.ip ?? '', browser);
      await this.signIns.forget(cookieOf(request));
      setCookie(request, response, secret);
      return CONSOLE;
    });
  }

  private async redirect(response: Response, target: () => Promise<string>): Promise<void> {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Referrer-Policy', 'no-referrer');
    try {
      response.redirect(303, await target());
    } catch (error) {
      if (!(error instanceof Fault)) this.log.error({ err: error }, 'request failed');
      else this.log.warn({ err: error.cause }, error.message);
      response.redirect(303, `${CONSOLE}?openid=${reasonOf(error)}`);
    }
  }
}

/** The reason of a failed sign-in, in one word for the page. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Fault)) return 'failed';
  const reasons: Partial<Record<typeof error.kind, string>> = {
    'no-rights': 'refused',
    duplicate: 'taken',
    unavailable: 'unavailable',
    'too-many-requests': 'later',
    'no-endpoint': 'off',
  };
  return reasons[error.kind] ?? 'failed';
}

/** The sign-in that this browser has begun, from its cookie. @throws Fault when it has begun none. */
function begunIn(text: string | undefined): Begun {
  try {
    const begun = JSON.parse(Buffer.from(text ?? '', 'base64url').toString()) as Begun;
    if ([begun.state, begun.nonce, begun.verifier].every((each) => typeof each === 'string' && each !== ''))
      return begun;
  } catch {
    // An unreadable cookie counts as none.
  }
  throw new Fault('token', 'This browser has begun no sign-in, or it took longer than 10 minutes.');
}
