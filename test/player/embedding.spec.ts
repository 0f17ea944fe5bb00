import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { formatTimestamp } from '#access';
import { write } from '../support/bank';
import { item, question } from '../support/builders';
import { ensureBuilt } from '../support/built';
import { freePort } from '../support/servers/free-port';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';

/*
The published SDKs are not among the dependencies. These stand-ins follow their published rules: the parts are joined by
`_`, HMAC-SHA256 with the secret as the key, and the SDK's own data is in `meta.sdk` of the signed request.
*/
const NODE_SDK = (timestamp: string) => `
const { createHmac } = require('node:crypto');
module.exports = class {
  init(service, security, secret, request) {
    const whole = { ...security, timestamp: '${timestamp}', user_id: security.user_id ?? request.user_id };
    request.meta = { sdk: { version: 'v0.6.2', lang: 'node.js', lang_version: process.version, platform: 'linux' } };
    const parts = [whole.consumer_key, whole.domain, whole.timestamp, whole.user_id, JSON.stringify(request)];
    whole.signature = '$02$' + createHmac('sha256', secret).update(parts.join('_')).digest('hex');
    return { security: whole, request };
  }
};`;
const PYTHON_SDK = (timestamp: string) => `
import hashlib, hmac, json

class Init:
    def __init__(self, service, security, secret, request):
        self.security = dict(security, timestamp="${timestamp}")
        self.secret = secret
        self.request = dict(request, meta={"sdk": {"version": "v0.3.11", "lang": "python"}})

    def generate(self):
        text = json.dumps(self.request, separators=(",", ":"), ensure_ascii=False)
        s = self.security
        parts = "_".join([s["consumer_key"], s["domain"], s["timestamp"], s["user_id"], text])
        s["signature"] = "$02$" + hmac.new(self.secret.encode(), parts.encode(), hashlib.sha256).hexdigest()
        return '{"security":%s,"request":%s}' % (json.dumps(s), text)
`;

/** An autoloader and the class that it loads. */
const PHP_SDK = (timestamp: string) => `<?php
namespace LearnositySdk\\Request;

class Init
{
    public function __construct(string $service, private array $security, private string $secret, private array $request)
    {
    }

    public function generate(): string
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
        $security = $this->security + ['timestamp' => '${timestamp}', 'user_id' => $this->request['user_id']];
        $request = $this->request + ['meta' => ['sdk' => ['version' => 'v1.2.1', 'lang' => 'php']]];
        $parts = [$security['consumer_key'], $security['domain'], $security['timestamp'], $security['user_id']];
        $text = implode('_', [...$parts, json_encode($request, $flags)]);
        $security['signature'] = '$02$' . hash_hmac('sha256', $text, $this->secret);
        return json_encode(['security' => $security, 'request' => $request], $flags);
    }
}
`;

/** The start of a page of docs/delivery.md: its language and program, and the module that stands in for the SDK. */
interface Page {
  language: string;
  program: string;
  command: (file: string, port: number) => string[];
  module: string;
  sdk: (timestamp: string) => string;
}

const run = (file: string) => [file];
const ALL: Page[] = [
  {
    language: 'js',
    program: process.execPath,
    command: run,
    module: 'node_modules/learnosity-sdk-nodejs/index.js',
    sdk: NODE_SDK,
  },
  {
    language: 'python',
    program: 'python3',
    command: run,
    module: 'learnosity_sdk/request/__init__.py',
    sdk: PYTHON_SDK,
  },
  {
    language: 'php',
    program: process.env.TEST_PHP || 'php',
    command: (file, port) => ['-S', `localhost:${port}`, file],
    module: 'vendor/autoload.php',
    sdk: PHP_SDK,
  },
];
const PAGES = ALL.filter(({ language, program }) => {
  const isThere = spawnSync(program, ['--version']).status === 0;
  if (!isThere) console.warn(`The page for ${language} is not tested, because there is no ${program}.`);
  return isThere;
});

describe('the complete pages of docs/delivery.md', () => {
  let service: TestService;
  let browser: Browser;
  let folder: string;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    ensureBuilt();
    service = await startService('sqlite');
    browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM });
    await write(service.client, { questions: [question({ reference: 'q-1' })] });
    await write(service.client, { items: [item(['q-1'], { reference: 'i-1' })] });
    await write(service.client, {
      activities: [{ reference: 'a-1', status: 'published', data: { items: ['i-1'], config: { title: 'A test' } } }],
    });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'itembank-page-'));
  });
  afterEach(() => {
    server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it.each(PAGES)('let a learner take a test, as written for $language', async (tested) => {
    const { language, program, command, module, sdk } = tested;
    const source = new RegExp(`^\`\`\`${language}\\n((?:<\\?php\\n)?(?:#|//) server\\.[^]*?)^\`\`\``, 'm').exec(
      readFileSync('docs/delivery.md', 'utf8'),
    )![1]!;
    const file = join(folder, 'server');
    writeFileSync(file, source);
    mkdirSync(join(folder, dirname(module)), { recursive: true });
    writeFileSync(join(folder, module), sdk(formatTimestamp(service.clock.now())));
    if (language === 'python') writeFileSync(join(folder, 'learnosity_sdk/__init__.py'), '');
    const port = await freePort();
    server = spawn(program, command(file, port), {
      env: {
        ...process.env,
        ITEMBANK_URL: service.url,
        CONSUMER_KEY: service.client.key,
        CONSUMER_SECRET: service.client.secret,
        ACTIVITY: 'a-1',
        PORT: String(port),
      },
      stdio: 'ignore',
    });
    const address = `http://localhost:${port}/`;
    await until(() =>
      fetch(address)
        .then(({ ok }) => ok)
        .catch(() => false),
    );
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('radio', { name: 'Two' }).check();
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  });
});
