import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:https';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Network } from '../../libs/events/src/domain/network';
import { AddressRules } from '../../libs/events/src/domain/webhook-address';
import { HttpWebhookSender } from '../../libs/events/src/infrastructure/http-webhook-sender';
import { type Event } from '../../libs/events/src/domain/event';
import { type Behaviour, Receiver } from '../support/receiver';
import { SECRET } from './event-process';

const event: Event = {
  id: '01JZX3M5V2Q4T6W8Y0A1B2C3D4',
  number: 7,
  kind: 'session-status',
  key: 'k',
  payload: '{}',
  recordedAt: 0,
};

describe('sending a webhook', () => {
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const end of cleanups.splice(0).reverse()) await end();
  });

  function newSender(allowed: string[] = ['127.0.0.1'], { plainHttp = true, maxAnswerMs = 5_000 } = {}) {
    const sender = new HttpWebhookSender(new AddressRules(new Network(allowed), plainHttp), maxAnswerMs);
    cleanups.push(() => sender.close());
    return sender;
  }
  async function newReceiver(behaviour?: Behaviour) {
    const receiver = await new Receiver(behaviour).listen();
    cleanups.push(() => receiver.close());
    return receiver;
  }
  const send = (sender: HttpWebhookSender, url: string, signal = new AbortController().signal) =>
    sender.send({ type: 'webhook', name: 'hook', kinds: null, url, secret: SECRET }, event, 0, signal);
  const sendTo = async (behaviour: Behaviour, maxAnswerMs?: number) => {
    const receiver = await newReceiver(behaviour);
    return { receiver, answer: await send(newSender(undefined, { maxAnswerMs }), receiver.url) };
  };

  it.each([200, 201, 202, 204, 299])('counts the event as delivered when the answer is %d', async (status) => {
    const { answer } = await sendTo(() => status);
    expect(answer).toEqual({ outcome: 'delivered', httpStatus: status, error: null });
  });

  it.each([300, 304, 400, 401, 404, 410, 500])('counts the event as refused when the answer is %d', async (status) => {
    const { answer } = await sendTo(() => status);
    expect(answer).toEqual({ outcome: 'refused', httpStatus: status, error: `The receiver answered ${status}.` });
  });

  it.each([429, 502, 503, 504])('counts the receiver as unreachable when the answer is %d', async (status) => {
    const { answer } = await sendTo(() => status);
    expect(answer).toMatchObject({ outcome: 'unreachable', httpStatus: status });
  });

  it.each([301, 302, 303, 307, 308])('follows no redirection when the answer is %d', async (status) => {
    const other = await newReceiver();
    const { answer } = await sendTo((_, response) => void response.writeHead(status, { location: other.url }).end());
    expect(answer).toMatchObject({ outcome: 'refused', httpStatus: status });
    expect(other.received).toEqual([]);
  });

  it('reports a connection that the receiver closed, or refused', async () => {
    const { answer, receiver } = await sendTo((_, response) => void response.destroy());
    expect(answer).toMatchObject({ outcome: 'unreachable', httpStatus: null });
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
    expect(await send(newSender(), receiver.url)).toMatchObject({
      outcome: 'unreachable',
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('gives up when no answer comes in time, or when it is aborted', async () => {
    const { answer, receiver } = await sendTo(() => undefined, 100);
    expect(answer).toEqual({ outcome: 'unreachable', httpStatus: null, error: 'There was no answer within 0.1 s.' });
    const stop = new AbortController();
    const sent = send(newSender(), receiver.url, stop.signal);
    stop.abort();
    expect(await sent).toMatchObject({ outcome: 'unreachable', error: expect.stringMatching(/service stopped/) });
    expect(await send(newSender(), receiver.url, stop.signal)).toMatchObject({ outcome: 'unreachable' });
  });

  it('reads only a limited part of the answer', async () => {
    let closed!: () => void;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const { answer } = await sendTo((_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      response.on('close', closed);
      more();
    });
    expect(answer.outcome).toBe('delivered');
    // Unless the sender closes the connection, the answer never ends.
    await isClosed;
  });

  it('reuses an open connection, and opens a new one when it was closed', async () => {
    let connections = 0;
    const receiver = await newReceiver((_, response) => {
      if (!response.req.socket.listenerCount('seen')) {
        connections++;
        response.req.socket.on('seen', () => undefined);
      }
      return 200;
    });
    const sender = newSender();
    for (let turn = 0; turn < 3; turn++) expect((await send(sender, receiver.url)).outcome).toBe('delivered');
    expect(connections).toBe(1);
    const [{ port }] = [new URL(receiver.url)];
    await receiver.close();
    await receiver.listen();
    expect(new URL(receiver.url).port).toBe(port);
    expect((await send(sender, receiver.url)).outcome).toBe('delivered');
  });

  describe('to public addresses only', () => {
    let tcp: TcpServer;
    let port: number;
    let connections = 0;
    beforeAll(async () => {
      // Records every connection.
      tcp = createTcpServer((socket) => {
        connections++;
        socket.destroy();
      });
      await new Promise<void>((resolve) => tcp.listen(0, '::', resolve));
      port = (tcp.address() as AddressInfo).port;
    });
    afterAll(() => void tcp.close());
    beforeEach(() => void (connections = 0));

    it.each([
      '127.0.0.1',
      '127.9.9.9',
      '2130706433',
      '0x7f.1',
      '017700000001',
      '0',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '[fd00:ec2::254]',
      '[fe80::1]',
      '[fec0::1]',
      '[ff02::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[2001:db8::1]',
    ])('refuses %s', async (host) => {
      const answer = await send(newSender([]), `http://${host}:${port}/`);
      expect(answer).toMatchObject({ outcome: 'unreachable', httpStatus: null });
      expect(answer.error).toMatch(/not public; an operator can allow it with WEBHOOK_ALLOWED_HOSTS/);
      expect(connections).toBe(0);
    });

    it('refuses a name that leads to a private address', async () => {
      for (const host of ['localhost', 'LOCALHOST', 'localhost.']) {
        const answer = await send(newSender([]), `http://${host}:${port}/`);
        expect(answer.outcome).toBe('unreachable');
        expect(answer.error).toMatch(/leads to no public address|ENOTFOUND|EAI_AGAIN/);
      }
      expect(connections).toBe(0);
      expect((await send(newSender([]), `http://localhost:${port}/`)).error).toMatch(/localhost leads to no public/);
    });

    it.each([[['127.0.0.0/8']], [['127.0.0.1']], [['10.0.0.0/8', 'LocalHost']], [['::1/128', '127.0.0.1/32']]])(
      'allows private addresses that an operator names: %j',
      async (allowed) => {
        await send(newSender(allowed), `http://localhost:${port}/`);
        expect(connections).toBeGreaterThan(0);
      },
    );

    it('refuses an address to which no allowed name leads', async () => {
      await send(newSender(['localhost.example.org', '10.0.0.0/8']), `http://localhost:${port}/`);
      await send(newSender(['localhost']), `http://127.0.0.1:${port}/`);
      expect(connections).toBe(0);
    });
  });

  it.each([
    ['http://93.184.215.14/', 'must be an address that begins with https://.'],
    ['ftp://93.184.215.14/', 'must be an address that begins with https://.'],
    ['file:///etc/passwd', 'must be an address that begins with https://.'],
    ['93.184.215.14', 'must be an address that begins with https://.'],
    ['', 'must be an address that begins with https://.'],
    ['https://user:pass@93.184.215.14/', 'must be without user and password: what is sent is signed.'],
    ['https://93.184.215.14/#x', 'must be without a part after #, which is never sent.'],
    [`https://93.184.215.14/${'x'.repeat(2000)}`, 'must have at most 2000 characters.'],
  ])('refuses the address %j', async (url, message) => {
    expect((await send(newSender([], { plainHttp: false }), url)).error).toBe(`The address ${message}`);
  });

  describe('over TLS', () => {
    let folder: string;
    let server: Server;
    let received = 0;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'itembank-tls-'));
      const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-keyout',
          key,
          '-out',
          cert,
          '-days',
          '2',
          '-subj',
          '/CN=localhost',
        ],
        { stdio: 'ignore' },
      );
      server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
        received++;
        response.end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => {
      server?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('refuses a receiver whose certificate is not trusted', async () => {
      const { port } = server.address() as AddressInfo;
      const answer = await send(newSender(['localhost', '127.0.0.1']), `https://localhost:${port}/`);
      expect(answer).toMatchObject({ outcome: 'unreachable', error: expect.stringMatching(/self.signed/) });
      expect(received).toBe(0);
    });
  });
});

describe('the addresses that an operator may allow', () => {
  it.each(['*', 'a b', 'http://x', '10.0.0.0/33', '-x', 'x/8', '[::1]'])('do not include %j', (entry) => {
    expect(() => new Network([entry])).toThrow(/is not a host, an address or a range/);
  });
});
