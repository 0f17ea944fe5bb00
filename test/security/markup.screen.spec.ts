import { type Browser, chromium, type Page } from 'playwright-core';
import sanitizeHtml from 'sanitize-html';
import { sanitiseWidgetData } from '../../libs/content/src/domain/sanitise';
import { ALLOWED } from '../../libs/content/src/domain/markup-names';
import { isHarmfulAttribute } from '../../libs/content/src/domain/markup-proof';

/** Attacks. Each runs or does harm in the browser unless the sanitiser removes a part of it. */
const ATTACKS: [kind: string, text: string][] = [
  ['a script', 'a<script>alert(1)</script>'],
  ['a handler', '<img src=x onerror=alert(1)>'],
  ['a handler without a blank before it', '<img src="x"onerror=alert(1)>'],
  ['a handler after a slash', '<svg/onload=alert(1)>'],
  ['a handler after stray quotes', '<img """ onerror=alert(1)>'],
  ['a handler after quotes of another kind', "<p title='\"' onclick='alert(\"1\")'>x</p>"],
  ['a handler with a backtick before it', '<img src=`x` onerror=alert(1)>'],
  ['an element of a custom name', '<x-part onclick=alert(1)>a</x-part>'],
  ['a style element of SVG with a picture', '<svg><style><img src=x onerror=alert(1)></style></svg>'],
  ['a style element of SVG with an attribute', '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">'],
  ['a title of SVG', '<svg><title><style><a title="</style><img src=x onerror=alert(1)>">'],
  ['a description of SVG', '<svg><desc><svg><image href=1 onerror=alert(1)></svg></desc></svg>'],
  ['foreign content of SVG', '<svg><foreignObject><math><mi><img src=x onerror=alert(1)></mi></math></foreignObject>'],
  ['MathML in a table', '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>'],
  [
    'MathML that changes when parsed again',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  ],
  ['MathML with an annotation', '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)>'],
  ['MathML with an address', '<math href="javascript:alert(1)"><mi>a</mi></math>'],
  ['a template', '<template><img src=x onerror=alert(1)></template>'],
  ['noscript', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">'],
  ['noembed', '<noembed><p title="</noembed><img src=x onerror=alert(1)>">'],
  ['xmp', '<xmp><p title="</xmp><img src=x onerror=alert(1)>">'],
  ['a text area', '<textarea><p title="</textarea><img src=x onerror=alert(1)>"></textarea>'],
  ['a title', '<title><a title="</title><img src=x onerror=alert(1)>"></title>'],
  ['a comment that ends at once', '<!--><img src=x onerror=alert(1)>-->'],
  ['a comment that ends in another way', '<!-- --!><img src=x onerror=alert(1)> -->'],
  ['CDATA', '<![CDATA[><img src=x onerror=alert(1)>]]>'],
  ['a processing instruction', '<?xml ><img src=x onerror=alert(1)>?>'],
  ['a frame with a document', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
  ['a frame with a document in references', '<iframe srcdoc="&lt;img src=x onerror=alert(1)&gt;"></iframe>'],
  ['a frame that runs', '<iframe src="javascript:alert(1)"></iframe>'],
  ['a frame of data', '<iframe src="data:text/html,<script>alert(1)</script>"></iframe>'],
  ['an address that runs', '<a href="javascript:alert(1)">x</a>'],
  ['an address with control characters', '<a href="\x01java\tscr\nipt:alert(1)">x</a>'],
  ['an address with references', '<a href="&#0000106&#X61vascript&colon;alert(1)">x</a>'],
  ['an address with references of control characters', '<a href="java&Tab;scr&NewLine;ipt&#58;alert(1)">x</a>'],
  ['an address with a reference without its end', '<a href="&#106avascript:alert(1)">x</a>'],
  ['an address in SVG', '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>'],
  [
    'an animated address',
    '<svg><a><animate attributeName="href" values="javascript:alert(1)"/><text>x</text></a></svg>',
  ],
  ['an address of a form', '<form action="javascript:alert(1)"><button>x</button></form>'],
  ['nested forms', '<form><div></form><form><input name=a formaction="javascript:alert(1)" type=submit>'],
  ['an address of a button', '<button formaction="javascript:alert(1)">x</button>'],
  ['an object', '<object data="javascript:alert(1)"></object>'],
  ['an embedded file', '<embed src="javascript:alert(1)">'],
  ['another base', '<base href="https://example.org/">'],
  ['a redirection', '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">'],
  ['a style sheet elsewhere', '<link rel="stylesheet" href="https://example.org/a.css">'],
  ['a script that removal would create', '<scr<script></script>ipt>alert(1)</script><img src=x onerror=alert(1)>'],
  ['a formula around a handler', '\\(<img src=x onerror=alert(1)>\\)'],
];

/** Attacks in which the library itself finds nothing to remove. */
const MISSED_BY_LIBRARY = [
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<![CDATA[><img src=x onerror=alert(1)>]]>',
];

const CONTEXTS = ['', '<svg>', '<math>', '<table><tr><td>', '<math><mtext>', '<svg><foreignObject>', '<p title="x">'];

describe('markup in a browser', () => {
  let browser: Browser;
  let raw: Page;
  let clean: Page;
  /** The attacks that ran in the page of sanitised texts. */
  const dialogs: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM });
    [raw, clean] = [await browser.newPage(), await browser.newPage()];
    // Requests may not leave the pages.
    for (const page of [raw, clean]) await page.route('**/*', (route) => route.abort());
    raw.on('dialog', (dialog) => void dialog.dismiss());
    clean.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  });
  afterAll(() => browser?.close());

  /**
   * Returns the parts of a text that could run or do harm in the browser. The browser parses and serialises the text
   * three times.
   */
  const dangersIn = (page: Page, text: string) => page.evaluate<string[]>(`(${FIND})(${JSON.stringify(text)})`);

  it.each(ATTACKS)('is harmful without sanitising: %s', async (_, text) => {
    expect(await dangersIn(raw, text)).not.toEqual([]);
  });

  it.each(ATTACKS)('is harmless after sanitising, wherever it is shown: %s', async (_, text) => {
    const { data, removed } = sanitiseWidgetData({ stimulus: text });
    expect(removed).toBeGreaterThan(0);
    for (const context of CONTEXTS) expect(await dangersIn(clean, context + (data.stimulus as string))).toEqual([]);
    await clean.setContent(data.stimulus as string);
    await clean.evaluate('new Promise((done) => setTimeout(done))');
    expect(dialogs).toEqual([]);
  });

  // So the findings of the library alone cannot decide that a text is safe as it was written (decision 83).
  it.each(MISSED_BY_LIBRARY)('is harmful although the library finds nothing to remove: %s', async (text) => {
    const seen: string[] = [];
    sanitizeHtml(text, {
      allowedTags: ALLOWED,
      allowVulnerableTags: true,
      allowedAttributes: false,
      nonTextTags: [],
      onOpenTag: (name, attributes) => {
        if (!ALLOWED.includes(name)) seen.push(name);
        for (const [attribute, value] of Object.entries(attributes))
          if (isHarmfulAttribute(name, attribute, value)) seen.push(attribute);
      },
    });
    expect(seen).toEqual([]);
    expect(await dangersIn(raw, text)).not.toEqual([]);
  });
});

/** A function for the browser that finds the dangerous parts of a text. */
const FIND = String.raw`(text) => {
  const NAMES = /^(script|object|embed|base|meta|link|form|noscript|noembed|xmp|textarea|template|frame|frameset|x-part)$/;
  const ADDRESS = /^(href|xlink:href|src|action|formaction|data|values|to|from)$/;
  const found = [];
  const look = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (NAMES.test(element.localName)) found.push(element.localName);
      if (element.localName === 'template' && element.content) look(element.content);
      for (const { name, value } of element.attributes) {
        if (/^(on|srcdoc|http-equiv)/.test(name)) found.push(name);
        const address = URL.canParse(value, 'https://page.example/') ? new URL(value, 'https://page.example/') : null;
        if (!ADDRESS.test(name) || !address) continue;
        if (address.protocol === 'javascript:' || /^data:text\/html/.test(address.href)) found.push(value);
      }
    }
  };
  // One parser allows scripts and the other does not, so they parse noscript differently.
  for (const { body } of [document, document.implementation.createHTMLDocument()]) {
    let written = text;
    for (let round = 0; round < 3; round++) {
      const part = body.ownerDocument.createElement('div');
      part.innerHTML = written;
      look(part);
      written = part.innerHTML;
    }
  }
  return found;
}`;
