import { randomUUID } from 'node:crypto';
import { Controller, Get, Next, Param, Req, Res } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { formatTimestamp, sign } from '#access';
import { Activities } from '#content';
import { Clock } from '#kernel';
import { Config } from '#platform';
import { readCredentials } from '#runtime/credentials';
import { send } from '../http/envelope';
import { escaped, htmlPage, PAGE_HEADERS } from '../http/html-page';
import { quickStartOf } from '../quick-start';

/** The largest number of activities in the list. */
const MAX_SHOWN = 50;
/** The user id of everybody who tries the service on this machine. */
const USER = 'try';

/**
 * Pages of a test contain no scripts and styles of their own, so integrators' pages may use the same policy.
 * @param files the origin of the files in the bank. It differs from that of the page at `localhost`.
 */
const testPolicy = (files: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: https: ${files}; media-src 'self' https: ${files}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Replaces an integrator's page: reads the signed request and starts the player. */
const SCRIPT = `'use strict';
const signed = JSON.parse(document.getElementById('signed').textContent);
const fault = document.getElementById('fault');
Itembank.init(signed, {
  errorListener({ code, msg, detail }) {
    fault.hidden = false;
    fault.textContent = 'Error ' + code + ': ' + msg + ' ' + detail;
  },
});
`;

interface ActivityData {
  items?: unknown[];
  sections?: { items?: unknown[] }[];
  config?: { title?: string };
}

/** Tests of the bank for trying the service on this machine. Not available in production. */
@Controller('try')
export class TryController {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly activities: Activities,
  ) {}

  @Get()
  async list(@Res() response: Response, @Next() next: NextFunction): Promise<void> {
    if (!quickStartOf(this.config)) return next();
    const { organisation } = readCredentials(this.config.dataDir)!;
    const rows = (await this.shown(organisation)).map(
      ({ reference, title, items }) =>
        `<li><a href="try/${encodeURIComponent(reference)}?session=${randomUUID()}">${escaped(title)}</a> (${items === 1 ? 'one item' : `${items} items`})</li>`,
    );
    const list = rows.length > 0 ? `<ul>\n${rows.join('\n')}\n</ul>` : '<p>The bank has no activity yet.</p>';
    const body = `<h1>Take a test</h1>
<p>Choose an activity of the bank. You take it as a learner does; it ends with a link to the marks.</p>
${list}`;
    send(response, 200, htmlPage({ title: 'Take a test', root: './', body }), {
      ...PAGE_HEADERS,
      'Cache-Control': 'no-store',
    });
  }

  @Get('page.js')
  script(@Res() response: Response, @Next() next: NextFunction): void {
    if (!quickStartOf(this.config)) return next();
    send(response, 200, SCRIPT, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' });
  }

  @Get(':reference')
  take(
    @Param('reference') reference: string,
    @Req() request: Request,
    @Res() response: Response,
    @Next() next: NextFunction,
  ): void {
    if (!quickStartOf(this.config)) return next();
    const session = textOf(request.query.session) ?? randomUUID();
    const isReview = request.query.review !== undefined;
    const again = `../try/${encodeURIComponent(reference)}?session=${session}&review`;
    const signed = this.signed(request.hostname, {
      user_id: USER,
      session_id: session,
      activity_template_id: reference,
      activity_id: reference.slice(0, 36),
      name: reference,
      rendering_type: 'assess',
      type: 'submit_practice',
      state: isReview ? 'review' : 'initial',
      config: {
        regions: 'main',
        questions_api_init_options: {
          showCorrectAnswers: isReview,
          show_distractor_rationale: isReview ? { per_question: 'always', per_response: 'always' } : false,
        },
        configuration: { onsubmit_redirect_url: again },
      },
    });
    const body = `<p id="fault" hidden></p>
<div id="learnosity_assess"></div>
<script type="application/json" id="signed">${JSON.stringify(signed).replaceAll('<', '\\u003c')}</script>
<script src="../player/items.js"></script>
<script src="page.js"></script>`;
    send(response, 200, htmlPage({ title: `Take ${reference}`, root: '../', body }), {
      ...PAGE_HEADERS,
      'Content-Security-Policy': testPolicy(new URL(this.config.assetsPublicUrl ?? this.config.ownUrl).origin),
      'Cache-Control': 'no-store',
    });
  }

  /** The published activities with items, by reference. */
  private async shown(organisation: number): Promise<{ reference: string; title: string; items: number }[]> {
    const { entries } = await this.activities.find(
      { organisation },
      { status: ['published'], sort: { field: 'created', ascending: true }, limit: MAX_SHOWN },
    );
    return entries.map(({ reference, body }) => {
      const { data = {} } = JSON.parse(body) as { data?: ActivityData };
      const lists = [data.items, ...(data.sections ?? []).map((section) => section.items)];
      const items = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
      return { reference, title: data.config?.title ?? reference, items };
    });
  }

  /** Signs as an integrator's server does. */
  private signed(domain: string, request: object): object {
    const { key, secret } = readCredentials(this.config.dataDir)!;
    const timestamp = formatTimestamp(this.clock.now());
    const text = JSON.stringify(request);
    const security = { consumerKey: key, domain, timestamp, userId: USER };
    const signature = sign({ security, request: text }, secret, 'current');
    return { security: { consumer_key: key, domain, timestamp, user_id: USER, signature }, request: text };
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w-]{8,64}$/.test(value) ? value : undefined;
