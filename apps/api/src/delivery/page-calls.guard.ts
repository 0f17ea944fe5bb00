import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Response } from 'express';
import { Access } from '#access';
import { type Page, tooMany, Tokens } from '#delivery';
import { Fault, parseObject } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { recordCall, type RecordedCall } from '../http/recorded-call';
import { readBody } from '../http/request-fields';
import { RequestMetrics } from '../http/request-metrics';

/** The largest body, enough for a save with long essays and for a start with a label bundle. */
const MAX_BYTES = 2 * 1024 * 1024;
/** The number of calls that one address may send within 5 s. A whole school may share an address. */
const MAX_ADDRESS_CALLS = 5_000;
/** How long browsers cache the answer of a preflight request. */
const PREFLIGHT_SECONDS = 600;

const OPEN = 'delivery:open';
/** Marks calls that a page sends before it has a token. */
export const Open = () => SetMetadata(OPEN, true);

/** A call of a page. `page` is the session to which its token belongs; absent before a page has a token. */
export interface PageCall extends RecordedCall {
  page?: Page;
}

/** Prepares every call of a page: headers, limits, token and body, in this order. */
@Injectable()
export class PageCalls implements CanActivate {
  constructor(
    private readonly access: Access,
    private readonly tokens: Tokens,
    private readonly reflector: Reflector,
    private readonly metrics: RequestMetrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [call, response] = recordCall<PageCall>(context, 'delivery', this.log, this.metrics);
    await this.admit(call, response);
    const address = call.ip ?? '';
    const { allowed, resetMs } = await this.access.takeOf(`delivery call ${address}`, MAX_ADDRESS_CALLS);
    if (!allowed) throw tooMany(`one address may call ${MAX_ADDRESS_CALLS} times`, resetMs);
    if (!this.reflector.get<boolean | undefined>(OPEN, context.getHandler())) {
      const { authorization, origin } = call.headers;
      call.page = await this.tokens.page(authorization, origin);
      call.known.consumer = call.page.consumer;
      call.known.organisation = call.page.organisation;
    }
    if (call.method === 'POST' || call.method === 'PUT') call.body = await bodyOf(call);
    return true;
  }

  /** Lets pages of registered hosts read the answer, even an error. */
  private async admit({ headers: { origin } }: PageCall, response: Response): Promise<void> {
    response.setHeader('Vary', 'Origin');
    if (origin === undefined || !(await this.access.knowsPage(origin))) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Methods', 'POST, PUT');
    response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
  }
}

async function bodyOf(call: PageCall): Promise<Record<string, unknown>> {
  const type = (call.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type !== 'application/json') {
    call.resume();
    throw new Fault('schema', `Send the body as application/json; it came as ${type.slice(0, 100) || 'no type'}.`);
  }
  return parseObject(await readBody(call, MAX_BYTES), 'The body', 'the parameters of the call');
}
