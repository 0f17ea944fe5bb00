import fc from 'fast-check';
import sanitizeHtml from 'sanitize-html';
import { sanitiseItem, sanitiseWidgetData } from './sanitise';
import { anyCharacter } from '../../../../test/support/any-character';
import { runsOf } from '../../../../test/support/runs';

const sanitised = (stimulus: string) => {
  const { data, removed } = sanitiseWidgetData({ stimulus });
  return { text: data.stimulus as string, removed };
};

describe('harmless markup', () => {
  test.each([
    ['a comparison', 'x<5'],
    ['comparisons with blanks', 'a < b > c and 1 <2'],
    ['a comparison of letters', 'if x<y then z'],
    ['a comparison that looks like a tag', 'if x<y then z>2'],
    ['a comparison that looks like a tag with attributes', 'if x<y and y=5 then z>2'],
    ['a comparison before markup', 'if x<y then <b class="k">z</b>'],
    ['a comparison with the name of an element', 'whenever a<b and c>d'],
    ['a comparison at the end', 'is a<b'],
    ['an arrow and a heart', 'a <- b, a <3 b, a << b'],
    ['inline LaTeX', '\\(x<5\\) and \\(a<b\\)'],
    ['displayed LaTeX', '\\[a<b\\] and $$c<d$$'],
    ['LaTeX with references', '\\(7 &lt; x\\)'],
    ['references', '&nbsp;&copy;&#39;&lt;script&gt; & more'],
    ['closed and unclosed elements', '<p>one<br>two<br/>three<br />\r\n<p>four'],
    ['odd case and quoting', "<P Class=a ID='b'>x</p><IMG SRC=x.png>"],
    ['formatting', '<h5><em>a</em> <strong style="color: red">b</strong> H<sub>2</sub>O <u>c</u></h5>'],
    ['old formatting', '<center><font color=red size=2>a</font> <big>b</big></center>'],
    ['a placeholder', '<p>The sky is {{response}} and {{response id="a_1"}}.</p>'],
    ['a response mark', '<p><span class="learnosity-response question-A-1_2"></span></p>'],
    ['a feature mark', '<span class="learnosity-feature" data-type="audioplayer" data-src="http://a.example/b.wav"/>'],
    [
      'attributes of all kinds',
      '<div role="img" aria-label="x" lang="de" dir="ltr" contenteditable="false" data-a="{}">x</div>',
    ],
    ['a table', '<table border=1><caption>t</caption><tr><th scope="col">a<td colspan="2">b</table>'],
    ['an image', '<img alt="" src="//a.example/b c.png?x=1&amp;y=2&copy=3" srcset="a.png 1x, b.png 2x" />'],
    ['an image within the page', '<img src="data:image/png;base64,AAAA">'],
    ['a drawing within the page', '<img src="data:image/svg+xml;base64,AAAA">'],
    ['less-than within an attribute', '<img alt="if a<b then" title=\'x < y\' src="https://a.example/b.png">'],
    ['a handler in prose', '<img alt="onerror=alert(1)" title="javascript: the bad parts">'],
    ['audio', '<audio controls><source src="a.ogg" type="audio/ogg">none</audio>'],
    ['video', '<video poster="a.png"><source src="//a.example/b.mp4"><track kind="captions" src="c.vtt"></video>'],
    ['an embedded video', '<iframe width="5" src="https://video.example/embed/1" allowfullscreen></iframe>'],
    ['an embedded video with a fallback', '<iframe src="//video.example/embed/1">No frames here.</iframe>'],
    [
      'links',
      '<a href="#a">1</a><a href="../b">2</a><a href="mailto:c@d.example" target="_blank">3</a><a href="tel:5">4</a>',
    ],
    ['a link with a colon', '<a href="Chapter 3: intro.html">x</a><a href="/a?b=javascript:1">y</a>'],
    [
      'MathML',
      '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi mathvariant="bold">x</mi><mo>&lt;</mo><mspace width="1em"/></math>',
    ],
    [
      'MathML with its source',
      '<math><semantics><mn>1</mn><annotation encoding="application/x-tex">1</annotation></semantics></math>',
    ],
    [
      'SVG',
      '<svg viewBox="0 0 9 9"><title>A &amp; B</title><defs><linearGradient id="g" gradientUnits="userSpaceOnUse"/></defs>' +
        '<path d="M0 0" fill="url(#g)"/><use xlink:href="#p"/><foreignObject><p>x</p></foreignObject></svg>',
    ],
    ['SVG with a style sheet', '<svg><style type="text/css">.a{fill:#fff;background:url(b.png)}</style></svg>'],
    ['SVG that moves', '<svg><animate attributeName="cx" from="0" to="5" values="0;5"/></svg>'],
    ['typeset formulas', '<mjx-container class="MathJax" jax="SVG" tabindex="0"><mjx-math></mjx-math></mjx-container>'],
    [
      'the remains of a word processor',
      '<p class=MsoNormal>a<o:p></o:p><![if !supportLists]>b<![endif]><?xml:namespace prefix="o" />',
    ],
    ['a comment', '<!-- a > b, <b>c</b> -->'],
    [
      'styles',
      '<p style="background: url(https://a.example/b.png); scroll-behavior: smooth; width: calc(1px + 2%)">x</p>',
    ],
    ['a form field', '<input type="text" value="a" disabled><select><option selected>a<option>b</select>'],
  ])('stays unchanged, byte for byte: %s', (_, text) => {
    const data = { stimulus: text, options: [{ label: text, value: '0' }] };
    const result = sanitiseWidgetData(data);
    expect(result.data).toBe(data);
    expect(result.data).toEqual({ stimulus: text, options: [{ label: text, value: '0' }] });
    expect(result.removed).toBe(0);
  });
});

describe('markup that could run', () => {
  test.each([
    // elements
    ['a<script>alert(1)</script>b', 'ab', 1],
    ['a<SCRIPT src=//e.example>alert(1)</script >b', 'ab', 1],
    ['<script>if (a<b && c=="</p>") alert(1)</script>b', 'b', 1],
    ['<svg><script href="//e.example"/></svg>', '<svg></svg>', 1],
    ['<svg><svg:script>x</svg:script></svg>', '<svg>x</svg>', 1],
    ['<object data="a.swf"><img src="b.png"></object><embed src="a.swf">', '<img src="b.png" />', 2],
    ['<applet code="a">b</applet><bgsound src="c">', 'b', 2],
    ['<base href="//e.example"><link rel="stylesheet" href="//e.example">a', 'a', 2],
    ['<meta http-equiv="refresh" content="0;url=javascript:alert(1)">a', 'a', 1],
    ['<form action="//e.example"><input name="a"></form>', '<input name="a" />', 1],
    ['<iframe srcdoc="<script>1</script>"></iframe>a', 'a', 1],
    ['<iframe src="https://a.example" srcdoc="x"></iframe>', '<iframe src="https://a.example"></iframe>', 1],
    ['<iframe src="javascript:alert(1)"></iframe>a', 'a', 1],
    ['<iframe src="http://a.example"></iframe><iframe src="/own/page"></iframe>a', 'a', 2],
    ['<iframe src="data:text/html,x"></iframe>a', 'a', 1],
    ['<style>@import "//e.example";</style>a', 'a', 1],
    ['<style>p{width:expression(alert(1))}</style>a', 'a', 1],
    ['<template><p>a</p></template><noscript>b</noscript><xmp>c</xmp>d', 'd', 3],
    ['<frameset><frame src="javascript:alert(1)"></frameset>a', 'a', 2],
    // handlers
    ['<img src=x onerror=alert(1)>', '<img src="x" />', 1],
    ['<img src="x"onerror=alert(1)>', '<img src="x" />', 1],
    ['<img src=x OnError = "alert(1)">', '<img src="x" />', 1],
    ['<svg/onload=alert(1)>', '<svg></svg>', 1],
    ['<p onclick="a" class="b" onmouseover=\'c\'>d</p>', '<p class="b">d</p>', 2],
    ['<img """ onerror=alert(1)>', '<img """ />', 1],
    ['<img src=x o\0nerror=alert(1)>', '<img src="x" />', 1],
    ['<img src=x onerror=alert(1)', '', 1],
    ['<img src=x title="cut off', '', 1],
    ['<b title="cut off', '', 1],
    ['<p x:onclick="a">b</p>', '<p>b</p>', 1],
    ['<custom-part onclick=alert(1)>a', 'a', 1],
    ['</p <img src=x onerror=alert(1)>', '<p></p>', 1],
    // addresses
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>', 1],
    ['<a href="JaVaScRiPt:alert(1)">a</a>', '<a>a</a>', 1],
    ['<a href="java\tscr\nipt:alert(1)">a</a>', '<a>a</a>', 1],
    ['<a href="java&#10;script:alert(1)">a</a>', '<a>a</a>', 1],
    ['<a href=" &#x1;javascript:alert(1)">a</a>', '<a>a</a>', 1],
    ['<a href="&#0000106&#X61vascript&colon;alert(1)">a</a>', '<a>a</a>', 1],
    ['<a href="java&Tab;script&#58;alert(1)">a</a>', '<a>a</a>', 1],
    ['<a href="vbscript:x">a</a><a href="view-source:javascript:x">b</a>', '<a>a</a><a>b</a>', 2],
    ['<a href="data:text/html,x">a</a><a href="data:image/svg+xml,x">b</a>', '<a>a</a><a>b</a>', 2],
    ['<svg><a xlink:href="javascript:x">a</a></svg>', '<svg><a>a</a></svg>', 1],
    ['<math href="javascript:x"><mi>a</mi></math>', '<math><mi>a</mi></math>', 1],
    ['<svg><use href="data:image/svg+xml,x#a"/><use href="a.svg#b"/></svg>', '<svg><use></use><use></use></svg>', 2],
    ['<svg><animate attributeName="href" values="#a"/></svg>', '<svg><animate values="#a"></animate></svg>', 1],
    ['<svg><set attributeName="onclick" to="alert(1)"/></svg>', '<svg><set to="alert(1)"></set></svg>', 1],
    ['<svg><animate values="#a;javascript:alert(1)"/></svg>', '<svg><animate></animate></svg>', 1],
    ['<button formaction="javascript:x">a</button>', '<button>a</button>', 1],
    ['<video poster="javascript:x"></video><td background="javascript:x">', '<video></video><td></td>', 2],
    ['<span data-src="javascript:x">a</span>', '<span>a</span>', 1],
    [
      '<img srcset="javascript:x 1x" src="a"><img srcset="b (c,  d" onerror=x>',
      '<img src="a" /><img srcset="b (c,  d" />',
      2,
    ],
    // styles
    ['<p style="width: expression(alert(1))">a</p>', '<p>a</p>', 1],
    ['<p style="width: e\\78 pr/* */ession(alert(1))">a</p>', '<p>a</p>', 1],
    ['<p style="background: url(&quot;java\nscript:x&quot;)">a</p>', '<p>a</p>', 1],
    ['<p style="behavior: url(a.htc)">a</p><p style="-moz-binding: url(a)">b</p>', '<p>a</p><p>b</p>', 2],
    // texts that parsers read differently
    [
      '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
      '<math><mtext><table><mglyph></mglyph></table></mtext></math>',
      1,
    ],
    ['<svg><style><img src=x onerror=alert(1)></style></svg>', '<svg></svg>', 1],
    ['<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">', '<svg><p></p></svg>', 1],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', '', 1],
    ['<textarea><p title="</textarea><img src=x onerror=alert(1)>"></textarea>a', '<img src="x" />"&gt;a', 2],
    [
      '<title><a title="</title><img src=x onerror=alert(1)>"></title>',
      '<title>&lt;a title="</title><img src="x" />"&gt;',
      1,
    ],
    ['<!--><img src=x onerror=alert(1)>-->', '<!--><img src="x" />-->', 1],
    ['<!-- --!><img src=x onerror=alert(1)> -->', '<!-- --!><img src="x" /> -->', 1],
    [
      '<!-- <p title="--><img src=x onerror=alert(1)>"> -->',
      '<!-- <p title="--&gt;&lt;img src=x onerror=alert(1)&gt;"> --></p>',
      1,
    ],
    ['<![CDATA[<img src=x onerror=alert(1)>]]>', '<![CDATA[<img src="x" />]]>', 1],
    ['<scr\0ipt>alert(1)</scr\0ipt>', '', 1],
    ['<<script></script>img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;', 1],
    ['<scr<script></script>ipt>alert(1)</script>', '&lt;script&gt;alert(1)', 1],
    ['\ufdd0img src=x onerror=alert(1)\ufdd1<b onclick=x>', 'img src=x onerror=alert(1)<b></b>', 1],
    ['\\(<img src=x onerror=alert(1)>\\)', '\\(<img src="x" />\\)', 1],
    ['$$<script>alert(1)</script>$$', '$$$$', 1],
  ])('is removed from %j', (text, expected, removed) => {
    expect(sanitised(text)).toEqual({ text: expected, removed });
  });

  test('is removed without a change to the plain text around it', () => {
    const around =
      '\\(a<b\\) \\(a<b c>d\\) \\[c<i >d\\] $$d<s x>e$$ x<5, if x<y then z>2 & a < b &nbsp;&copy; {{response}}\r\n';
    expect(sanitised(`${around}<script>x</script>${around}`)).toEqual({ text: around + around, removed: 1 });
  });

  test('is removed without a change to the attributes of harmless elements around it', () => {
    const svg =
      '<svg viewBox="0 0 9 9"><linearGradient id="g"></linearGradient></svg><iframe src="https://a.example">b</iframe>';
    const rest =
      '<span class="learnosity-response question-A"></span><o:p>&nbsp;</o:p><p title="a &quot;b&quot;" style="color: red">x</p>';
    expect(sanitised(`<b onclick=x>y</b>${svg}${rest}`)).toEqual({ text: `<b>y</b>${svg}${rest}`, removed: 1 });
  });
});

describe('members of a definition', () => {
  const attack = '<script>x</script>';

  test('with answers, values and formulas never change', () => {
    const data = {
      type: 'mcq',
      options: [{ value: attack, label: 'a' }],
      validation: { valid_response: { score: 1, value: [attack] }, alt_responses: [{ text: attack }] },
      valid_responses: [{ value: attack, score: 1 }],
      parts: [{ formula: attack, latex: attack, validation: { value: attack } }],
      value: [[attack]],
      score: 1.5,
      enabled: true,
      nothing: null,
    };
    const result = sanitiseWidgetData(data);
    expect(result.data).toBe(data);
    expect(result.removed).toBe(0);
  });

  test('of all other kinds are sanitised at any depth, without changing the input object', () => {
    const data = Object.freeze({
      possible_responses: Object.freeze([Object.freeze([`a${attack}`, 'b'])]),
      metadata: Object.freeze({ distractor_rationale: `c${attack}`, kept: Object.freeze({ d: 1 }) }),
      value: Object.freeze({ stimulus: `e${attack}` }),
    });
    const result = sanitiseWidgetData(data as never);
    expect(result).toEqual({
      data: {
        possible_responses: [['a', 'b']],
        metadata: { distractor_rationale: 'c', kept: { d: 1 } },
        value: { stimulus: 'e' },
      },
      removed: 3,
      places: ['/possible_responses/0/0', '/metadata/distractor_rationale', '/value/stimulus'],
    });
    expect((result.data.metadata as { kept: unknown }).kept).toBe(data.metadata.kept);
    expect(Object.keys(result.data)).toEqual(Object.keys(data));
  });

  test('with addresses keep them, except those that run scripts, which become empty', () => {
    const kept = {
      image: { src: '//a.example/b c.png' },
      img_src: 'data:image/svg+xml,<svg onload="x"></svg>',
      src: 'data:application/pdf;base64,AAAA',
      js: { question: 'https://a.example/q.js', scorer: 'https://a.example/s.js' },
      label: 'javascript: what is it?',
    };
    expect(sanitiseWidgetData(kept)).toEqual({ data: kept, removed: 0, places: [] });
    expect(
      sanitiseWidgetData({
        image: { src: 'javascript:alert(1)', alt: 'javascript:' },
        srcs: ['a'],
        url: ' JAVA\nSCRIPT:alert(1)',
        imageUrl: 'java&#115;cript:alert(1)',
        video_url: ['a.mp4', 'vbscript:x'],
        js: { question: 'data:text/html,x' },
        href: '"><img src=x onerror=alert(1)>',
      }),
    ).toEqual({
      data: {
        image: { src: '', alt: 'javascript:' },
        srcs: ['a'],
        url: '',
        imageUrl: '',
        video_url: ['a.mp4', ''],
        js: { question: '' },
        href: '"><img src="x" />',
      },
      removed: 6,
      places: ['/image/src', '/url', '/imageUrl', '/video_url/1', '/js/question', '/href'],
    });
  });

  test('of an item are sanitised where they contain markup', () => {
    const item = {
      reference: 'A',
      title: `About ${attack}`,
      note: attack,
      content: '<p>a</p>',
      metadata: { acknowledgements: 'x<5', scoring_type: 'dichotomous' },
      definition: { template: 'dynamic', widgets: [{ reference: 'B' }] },
    };
    expect(sanitiseItem(item).data).toBe(item);
    const hostile = {
      ...item,
      content: `<p>a</p>${attack}`,
      description: `b${attack}`,
      metadata: { acknowledgements: `<a href="javascript:x">c</a>`, name: attack },
      definition: { template: `d${attack}` },
      dynamic_content_data: { rows: { 1: { values: [`e${attack}`] } } },
    };
    expect(sanitiseItem(hostile)).toEqual({
      data: {
        ...hostile,
        content: '<p>a</p>',
        metadata: { acknowledgements: '<a>c</a>', name: attack },
        definition: { template: 'd' },
        dynamic_content_data: { rows: { 1: { values: ['e'] } } },
      },
      removed: 4,
      places: [
        '/content',
        '/metadata/acknowledgements',
        '/definition/template',
        '/dynamic_content_data/rows/1/values/0',
      ],
    });
  });
});

describe('for any text', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    '"',
    "'",
    '=',
    ' ',
    '/',
    '&',
    '\n',
    '\0',
    '<!--',
    '-->',
    '--!>',
    '<!',
    '<?',
    '<![CDATA[',
    ']]>',
    '<p>',
    '</p>',
    '<b ',
    '<svg>',
    '<math><mtext>',
    '<table>',
    '<mglyph>',
    '<style>',
    '</style>',
    '<title>',
    '</title>',
    '<script>',
    '</script>',
    '<script',
    '<iframe ',
    '<iframe>',
    '<noscript>',
    '<textarea>',
    '</textarea>',
    '<template>',
    '<x ',
    '<img src=x ',
    'onerror=alert(1)',
    'ONLOAD="x"',
    'title="',
    "title='<img src=x onerror=1>'",
    '<a href=',
    '<a href="',
    'javascript:x',
    'java&#10;script:x',
    '&#106avascript:x',
    'style="a:expression(1)"',
    'srcdoc="x"',
    'src=//a',
    '<use href=a>',
    '\\(',
    '\\)',
    '$$',
    '\\[',
    '\\]',
    'x<5',
    'if x<y then',
    '&nbsp;',
    '&lt;',
    '\ufdd0',
    '\ufdd1',
    'abc',
    '{{response}}',
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
    fc.string({ unit: anyCharacter, maxLength: 60 }),
  );
  const runs = { numRuns: runsOf(2_000) };

  /** The attacks that a parser other than ours finds in a text. */
  const attacksIn = (markup: string): string[] => {
    const found: string[] = [];
    sanitizeHtml(markup, {
      allowedTags: [],
      onOpenTag: (name, attributes) => {
        if (/^(script|object|embed|base|meta|link|form|noscript|textarea|template|xmp)$/.test(name)) found.push(name);
        for (const [attribute, value] of Object.entries(attributes)) {
          if (/^(on\w+|srcdoc)$/.test(attribute) && value !== '') found.push(attribute);
          if (/^[\0-\x20]*javascript:/i.test(value.replace(/[\t\r\n]/g, '')) && attribute !== 'title')
            found.push(value);
        }
      },
    });
    return found;
  };

  test('leaves no attack, even when parsing begins within other elements', () => {
    fc.assert(
      fc.property(text, (written) => {
        const result = sanitised(written).text;
        for (const before of ['', '<svg>', '<math>', '<table><tr>', '<p title="">'])
          expect(attacksIn(before + result)).toEqual([]);
      }),
      runs,
    );
  });

  test('changes a text only when it counts a removal, and changes nothing the second time', () => {
    fc.assert(
      fc.property(text, (written) => {
        const once = sanitised(written);
        expect(once.text === written).toBe(once.removed === 0);
        expect(sanitised(once.text)).toEqual({ text: once.text, removed: 0 });
      }),
      runs,
    );
  });

  test('leaves a text without tags unchanged', () => {
    const plain = fc
      .array(
        fc.oneof(
          fc.constantFrom('<', '< ', '<5', '<=', '>', '&', '&lt;', '"', 'onerror=', '\\('),
          fc.string({ maxLength: 8 }),
        ),
      )
      .map((parts) => parts.join('').replace(/<(?=[a-z/!?])/gi, '< '));
    fc.assert(
      fc.property(plain, (written) => {
        expect(sanitised(written)).toEqual({ text: written, removed: 0 });
      }),
      runs,
    );
  });

  // Each of these would take minutes in quadratic time.
  test.each([
    '<',
    '<a ',
    '<a x="',
    '<b>',
    '<b></i>',
    '<use ',
    '<!--',
    '<style>',
    '\\(a<b',
    '\\(\\\\(',
    '&#',
    '<p style="/*',
    '<x y=z ',
  ])('sanitises a megabyte of %j', (unit) => {
    const hostile = unit.repeat(1_000_000 / unit.length);
    for (const before of ['', '<b onclick=x>'])
      expect(attacksIn(sanitised(before + hostile).text.slice(0, 10_000))).toEqual([]);
  });
});
