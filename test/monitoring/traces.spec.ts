import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Config } from '#platform';
import { engines, queueEngines } from '../support/engines';
import { essayRequest, writeEssayItem } from '../support/essays';
import { temporaryFolders } from '../support/processes';
import { type Programs, startPrograms } from '../support/programs';
import { until } from '../support/until';

const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;
const ERROR = 2;

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code: number };
}

/** An OpenTelemetry collector that stores the spans that it receives over OTLP/HTTP as JSON. */
class Collector {
  readonly spans: (Span & { service: unknown })[] = [];
  text = '';
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      if (request.url === '/v1/traces' && request.headers['content-type'] === 'application/json') this.take(text);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  of(traceId: string): (Span & { service: unknown })[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  private take(text: string): void {
    this.text += text;
    const { resourceSpans } = JSON.parse(text) as {
      resourceSpans: { resource: Pick<Span, 'attributes'>; scopeSpans: { spans: Span[] }[] }[];
    };
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        this.spans.push(...spans.map((span) => ({ ...span, service: attribute(resource, 'service.name') })));
  }
}

const attribute = ({ attributes }: Pick<Span, 'attributes'>, name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const ANSWER = 'What the learner wrote, and nobody else';
const folder = temporaryFolders();
const [engine] = engines;

/** Traces do not depend on the database, so one is enough. */
describe.each(queueEngines)(`traces on ${engine}, with a queue %s`, (queueEngine) => {
  let collector: Collector;
  let programs: Programs;
  beforeAll(async () => {
    collector = new Collector();
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: await collector.listen() };
    programs = await startPrograms(engine!, queueEngine, folder(), settings, {
      api: { OTEL_SERVICE_NAME: 'api' },
      worker: { OTEL_SERVICE_NAME: 'worker' },
    });
    await writeEssayItem(programs.client);
  });
  afterAll(async () => {
    await programs?.end();
    collector?.close();
  });

  const post = (path: string, action: string, request: object, traceparent: string) =>
    programs.client.send(path, {
      method: 'POST',
      body: new URLSearchParams(programs.client.fields(JSON.stringify(request), action)),
      headers: { traceparent },
    });

  it('connect the request, its statements and the job that it started', async () => {
    const essay = await essayRequest(programs.client, ANSWER);
    const sampled = await post('sessions', 'set', essay, `00-${TRACE}-${PARENT}-01`);
    expect(sampled.meta.message ?? '').toBe('');
    await post('itembank/items', 'get', {}, `00-${TRACE.replace('0af', '1af')}-${PARENT}-00`);
    await post('itembank/items', 'destroy', {}, `00-${TRACE.replace('0af', '2af')}-${PARENT}-01`);
    await post('itembank/questions', 'get', {}, 'no traceparent at all');
    await until(async () => {
      const { data } = await programs.client.get('jobs');
      return (data as { status: string }[]).every(({ status }) => status === 'completed') || undefined;
    });
    await programs.end();

    const spans = collector.of(TRACE);
    const request = spans.find(({ kind }) => kind === SERVER)!;
    expect(request).toMatchObject({ name: 'set sessions', parentSpanId: PARENT, service: 'api' });
    expect(attribute(request, 'http.response.status_code')).toBe(200);
    expect(attribute(request, 'itembank.request')).toBe(sampled.headers.get('x-request-id'));
    expect(attribute(request, 'itembank.consumer')).toBe(programs.client.key);
    const job = spans.find(({ kind }) => kind === CONSUMER)!;
    expect(job).toMatchObject({ name: 'job save-sessions', parentSpanId: request.spanId });
    expect(job.service).toBe(programs.worker ? 'worker' : 'api');
    expect(attribute(job, 'itembank.outcome')).toBe('completed');
    const statements = spans.filter(({ kind }) => kind === CLIENT);
    const within = (span: Span) => statements.filter(({ parentSpanId }) => parentSpanId === span.spanId);
    expect(within(request).map(({ name }) => name)).toContain('INSERT job');
    expect(within(job).map(({ name }) => name)).toContain('UPDATE job');
    expect(attribute(within(request)[0]!, 'db.system.name')).toBe(engine);
    expect(spans).toHaveLength(statements.length + 2);
  });

  it('omit requests that the caller does not sample, and begin anew without a valid parent', async () => {
    await programs.end();
    expect(collector.of(TRACE.replace('0af', '1af'))).toEqual([]);
    // The call may also read its consumer from the database.
    const unknown = collector.of(TRACE.replace('0af', '2af')).find(({ kind }) => kind === SERVER);
    expect(unknown!.name).toBe('unknown operation');
    expect(unknown!.status.code).not.toBe(ERROR);
    const roots = collector.spans.filter(({ parentSpanId, kind }) => kind === SERVER && !parentSpanId);
    expect(roots.map(({ name }) => name)).toEqual(expect.arrayContaining(['get itembank/questions', 'get jobs']));
  });

  it('contain no texts of callers, in statements or elsewhere', async () => {
    await programs.end();
    expect(collector.text).toContain('set sessions');
    expect(collector.text).not.toContain(ANSWER);
    expect(collector.text).not.toContain(programs.client.secret);
    for (const { attributes } of collector.spans)
      for (const { key } of attributes) expect(key).not.toMatch(/db\.(statement|query\.(text|parameter))/);
  });
});

describe('tracing', () => {
  const config = (settings: Record<string, string>) =>
    Config.read({ SECRETS_KEY: '11'.repeat(32), ...settings }).tracing;
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/';

  it('is configured by the standard variables', () => {
    expect(config({})).toBeUndefined();
    expect(config({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({
      url: 'http://collector:4318/v1/traces',
      serviceName: 'itembank',
      sampler: 'parentbased_always_on',
      samplerArgument: 1,
    });
    const traces = 'https://other/x';
    expect(
      config({
        OTEL_EXPORTER_OTLP_ENDPOINT,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces,
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      }),
    ).toMatchObject({ url: traces, samplerArgument: 0.25 });
    expect(config({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
    expect(() => config({ OTEL_TRACES_SAMPLER: 'sometimes' })).toThrow(/OTEL_TRACES_SAMPLER/);
  });
});
