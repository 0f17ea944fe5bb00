import type { Json } from '#kernel';
import { until } from '../support/until';
import { longtextV2 } from './cases/longtextV2';
import type { Shown } from './support/question-page';
import { commonTests, questionPage, shownOf } from './support/suite';

const page = questionPage();
const field = () => page.question.getByRole('textbox');
const tool = (name: string) => page.question.getByRole('button', { name, exact: true });
const press = (...keys: string[]) => page.press(...keys);
const type = (text: string) => page.page.keyboard.type(text);
const whole = shownOf(longtextV2[2]!);

describe.each(longtextV2.map((given) => [`${given.type}, ${given.name}`, given] as const))('%s', (_, given) => {
  const shown = shownOf(given);

  commonTests(page, given);

  it('can be answered by typing', async () => {
    await page.show(shown);
    await page.leave();
    await page.tabTo(field());
    await type(given.text);
    expect(await page.changes()).toHaveLength(given.text.length);
    expect(await page.value()).toBe(given.value);
  });

  it('can be answered by pasting text, after a tap', async () => {
    await page.show(shown);
    await field().tap();
    await page.page.keyboard.insertText(given.text);
    expect((await page.changes()).at(-1)).toBe(given.value);
  });

  it('can be cleared', async () => {
    await page.show({ ...shown, value: given.value });
    expect(await field().innerText()).toBe(given.text);
    await field().fill('');
    expect((await page.changes()).at(-1)).toBeNull();
  });

  it('keeps the place of the caret when the page sets the same value', async () => {
    await page.show(shown);
    await field().pressSequentially(given.text);
    await press('ArrowLeft');
    await page.set({ value: await page.value() });
    await press('x');
    expect(await field().innerText()).toBe(given.text.replace(/.$/, 'x$&'));
  });

  it('cannot be changed when it is read-only', async () => {
    for (const readOnly of [{ disabled: true }, { mode: 'preview' }, { mode: 'review' }] as const) {
      await page.show({ ...shown, value: given.value, ...readOnly });
      await page.focusText(field());
      await press('x');
      await page.paste({ 'text/html': '<b>more</b>' });
      expect(await page.changes()).toEqual([]);
      expect(await field().innerText()).toBe(given.text);
      expect(await page.question.getByRole('toolbar').count()).toBe(0);
    }
  });
});

describe('the tools of a formatted text', () => {
  const START = '<p>wide and grey</p>';
  const after = async (value: string, name: string) => {
    await page.show({ ...whole, value });
    await page.focusText(field());
    await press('Control+a');
    await tool(name).click();
    return page.value();
  };

  it.each([
    ['Bold', '<p><strong>wide and grey</strong></p>'],
    ['Italic', '<p><em>wide and grey</em></p>'],
    ['Underline', '<p><u>wide and grey</u></p>'],
    ['Strikethrough', '<p><s>wide and grey</s></p>'],
    ['Superscript', '<p><sup>wide and grey</sup></p>'],
    ['Subscript', '<p><sub>wide and grey</sub></p>'],
    ['Code', '<p><code>wide and grey</code></p>'],
    ['Bulleted list', '<ul><li><p>wide and grey</p></li></ul>'],
    ['Numbered list', '<ol><li><p>wide and grey</p></li></ol>'],
    ['Quotation', '<blockquote><p>wide and grey</p></blockquote>'],
    ['Align left', '<p style="text-align: left;">wide and grey</p>'],
    ['Centre', '<p style="text-align: center;">wide and grey</p>'],
    ['Align right', '<p style="text-align: right;">wide and grey</p>'],
    ['Justify', '<p style="text-align: justify;">wide and grey</p>'],
    ['Increase indent', '<p style="margin-inline-start: 40px;">wide and grey</p>'],
    ['Text from left to right', '<p dir="ltr">wide and grey</p>'],
    ['Text from right to left', '<p dir="rtl">wide and grey</p>'],
  ])('format the selected text, and take the format back: %s', async (name, formatted) => {
    expect(await after(START, name)).toBe(formatted);
    const back = name === 'Increase indent' ? 'Decrease indent' : name;
    if (name !== back) expect(await tool(name).getAttribute('aria-pressed')).toBeNull();
    else expect(await tool(name).getAttribute('aria-pressed')).toBe('true');
    await tool(back).click();
    expect(await page.value()).toBe(START);
    // The answer is shown as it was stored.
    await page.show({ ...whole, value: formatted });
    await page.focusText(field());
    await press('End');
    await type('!');
    expect(await page.value()).toBe(formatted.replace('grey', 'grey!'));
  });

  it('format what is typed next', async () => {
    await page.show(whole);
    await page.focusText(field());
    await type('a ');
    await tool('Bold').click();
    await type('b');
    await press('Control+i');
    await type('c');
    expect(await page.value()).toBe('<p>a <strong>b<em>c</em></strong></p>');
  });

  it('nest the entries of a list, and change its kind', async () => {
    await page.show(whole);
    await page.focusText(field());
    await tool('Bulleted list').click();
    await type('a');
    await press('Enter');
    await type('b');
    await tool('Increase indent').click();
    expect(await page.value()).toBe('<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul>');
    await tool('Decrease indent').click();
    await tool('Numbered list').click();
    expect(await page.value()).toBe('<ol><li><p>a</p></li><li><p>b</p></li></ol>');
  });

  it('insert lines and tables, whose rows and columns can be added and deleted', async () => {
    await page.show(whole);
    await page.focusText(field());
    await tool('Horizontal line').click();
    await type('a');
    expect(await page.value()).toBe('<hr><p>a</p>');
    await page.show(whole);
    await page.focusText(field());
    await tool('Insert a table').click();
    expect(await page.question.getByRole('row').count()).toBe(3);
    await type('b');
    await press('Tab');
    await type('c');
    await tool('Add a row below').click();
    await tool('Add a column after').click();
    expect(await page.question.getByRole('row').count()).toBe(4);
    expect(await page.question.getByRole('cell').count()).toBe(12);
    expect(await page.axeViolations()).toEqual([]);
    await page.picture('longtextV2-table');
    for (const name of ['Delete the row', 'Delete the row', 'Delete the column']) await tool(name).click();
    expect(await page.question.getByRole('cell').count()).toBe(4);
    await tool('Delete the table').click();
    expect(await page.value()).toBeNull();
    expect(await tool('Add a row below').count()).toBe(0);
  });

  it('undo, redo and remove formats', async () => {
    expect(await after('<h2 style="text-align: right">wide <b>and</b> <i>grey</i></h2>', 'Remove formatting')).toBe(
      START,
    );
    await tool('Undo').click();
    expect(await page.value()).toBe('<h2 style="text-align: right;">wide <strong>and</strong> <em>grey</em></h2>');
    await tool('Redo').click();
    expect(await page.value()).toBe(START);
    await press('Control+z');
    expect(await page.value()).toContain('<h2');
  });

  it('are one tab stop, in which arrows move, and keep the focus when a key uses them', async () => {
    await page.show({ ...whole, value: START });
    await page.leave();
    await page.tabTo(tool('Bold'));
    await press('ArrowRight', 'Space');
    expect(await page.hasFocus(tool('Italic'))).toBe(true);
    await press('Tab');
    expect(await page.hasFocus(field())).toBe(true);
    await type('x');
    expect(await page.value()).toBe('<p><em>x</em>wide and grey</p>');
  });

  it('stay one tab stop when those of a table go with it, and the focus goes to the text', async () => {
    await page.show({ ...whole, value: '<p>a</p><table><tbody><tr><td><p>b</p></td></tr></tbody></table>' });
    const last = tool('Delete the table');
    const goToLast = async () => {
      await page.question.getByRole('cell').click();
      await last.waitFor();
      await press('Shift+Tab', 'End');
      expect(await page.hasFocus(last)).toBe(true);
    };
    await goToLast();
    // The caret leaves the table, and its tools go. Just after it got the focus, the field may put the caret back once.
    await press('Tab');
    await until(async () => {
      await press('Control+Home');
      return (await last.count()) === 0;
    });
    await press('Shift+Tab');
    expect(await page.hasFocus(tool('Bold'))).toBe(true);
    await goToLast();
    await press('Enter');
    expect(await page.value()).toBe('<p>a</p>');
    expect(await page.hasFocus(field())).toBe(true);
    await press('Shift+Tab');
    expect(await page.hasFocus(tool('Bold'))).toBe(true);
  });

  it('begin a paragraph when the caret is before a table at the start of the text', async () => {
    const table = '<table><tbody><tr><td><p>b</p></td></tr></tbody></table>';
    const goBefore = async () => {
      await page.show({ ...whole, value: table });
      await page.question.getByRole('cell').click();
      await tool('Delete the table').waitFor();
      await press('ArrowUp');
      await tool('Delete the table').waitFor({ state: 'detached' });
    };
    await goBefore();
    const disabled = page.question.locator('.formatting [aria-disabled=true]');
    const names = await disabled.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
    expect(names).toEqual(['Decrease indent', 'Undo', 'Redo']);
    await tool('Bold').click();
    await type('a');
    expect(await page.value()).toBe(`<p><strong>a</strong></p>${table}`);
    await goBefore();
    await tool('Bulleted list').click();
    await type('a');
    expect(await page.value()).toBe(`<ul><li><p>a</p></li></ul>${table}`);
  });

  it('are only those that the question names', async () => {
    await page.show({ ...whole, question: { formatting_options: ['italic', 'nothing', 7, { toString: 1 }] } });
    expect(await page.question.getByRole('toolbar').getByRole('button').allTextContents()).toHaveLength(1);
    await page.focusText(field());
    await press('Control+b');
    await type('a');
    expect(await page.value()).toBe('<p>a</p>');
    await page.show({ ...whole, question: { formatting_options: [] } });
    expect(await page.question.getByRole('toolbar').count()).toBe(0);
  });

  it('have several names, and are shown once', async () => {
    const names =
      'insertHorizontalRule horizontalRule code ltr rtl characterMap charactermap specialCharacterMap | bold';
    await page.show({ ...whole, question: { formatting_options: names.split(' ') } });
    const shown = page.question.getByRole('toolbar').getByRole('button');
    expect(await shown.evaluateAll((all) => all.map((each) => (each as { title?: string }).title))).toEqual([
      'Horizontal line',
      'Code',
      'Text from left to right',
      'Text from right to left',
      'Special characters',
      'Bold',
    ]);
  });
});

describe('a formatted text', () => {
  it('shows lists, tables and links of stored answers, and keeps them when the learner goes on', async () => {
    const value =
      '<p>a <strong>b</strong></p><ul><li><p>c</p></li><li><p>d</p><ol start="3"><li><p>e</p></li></ol></li></ul>' +
      '<table><tbody><tr><th><p>f</p></th><td colspan="2"><p>g<br>h</p></td></tr></tbody></table>' +
      '<p><a href="https://example.org/" target="_blank" rel="noopener noreferrer">link</a></p>';
    await page.show({ ...whole, value });
    expect(await page.question.getByRole('listitem').count()).toBe(3);
    expect(await page.question.locator('th').allInnerTexts()).toEqual(['f']);
    await page.focusText(field());
    await press('Control+End');
    await type('!');
    expect(await page.value()).toBe(value.replace('link</a>', 'link</a>!'));
  });

  it('keeps the images of a stored answer, and shows their names without loading them', async () => {
    const calls: string[] = [];
    page.page.on('request', (request) => calls.push(request.url()));
    const value = '<p>a<img src="/image-of-answer" alt="A map"><img src="/image-of-answer" alt="">b</p>';
    await page.show({ ...whole, value });
    expect(await field().innerText()).toBe('aA mapImageb');
    await page.focusText(field());
    await press('Control+End');
    await type('!');
    expect(await page.value()).toBe(value.replace('b</p>', 'b!</p>'));
    expect(calls.filter((each) => each.includes('image-of-answer'))).toEqual([]);
  });

  it('shows the lines of an answer that was stored as plain text', async () => {
    await page.show({ ...whole, value: 'one\n\ntwo' });
    expect(await page.question.getByRole('textbox').getByRole('paragraph').allInnerTexts()).toEqual([
      'one',
      '\n',
      'two',
    ]);
  });

  it('is selected as a whole by Control and A, also when it begins or ends with a table', async () => {
    const table = '<table><tbody><tr><td><p>b</p></td></tr></tbody></table>';
    for (const value of [
      `<p>a</p><p>c</p>${table}`,
      `${table}<p>a</p><p>c</p>`,
      `<ul><li><p>a</p>${table}</li></ul>`,
    ]) {
      await page.show({ ...whole, value });
      await page.focusText(field());
      await press('Control+a', 'Delete');
      expect([value, await page.value()]).toEqual([value, null]);
      await page.show({ ...whole, value });
      await page.focusText(field());
      await press('Control+a');
      await type('x');
      expect([value, await page.value()]).toEqual([value, '<p>x</p>']);
    }
  });

  it('takes over pasted formats, without what could do harm', async () => {
    await page.show(whole);
    await page.focusText(field());
    await page.paste({
      'text/html':
        '<h1 onclick="alert(1)">a</h1><p style="position: fixed"><b>b</b><script>alert(2)</script><img src="x" onerror="alert(3)"></p>',
    });
    expect(await page.value()).toBe('<h1>a</h1><p><strong>b</strong></p>');
    expect((await page.complaints()).filter((text) => text.includes('dialog'))).toEqual([]);
  });

  it.each([
    ['of a page', { 'text/html': '<p><img src="/picture" alt="A map"></p>' }],
    ['of the screen', { 'image/png': 'x' }],
  ])(
    'keeps the selected text when a picture %s is pasted over it, and says that only text can be',
    async (_, pasted) => {
      await page.show({ ...whole, value: '<p>wide and grey</p>' });
      await page.focusText(field());
      await press('Control+a');
      await page.paste(pasted);
      await page.announced('Only text can be pasted here.');
      expect(await page.changes()).toEqual([]);
      expect(await field().innerText()).toBe('wide and grey');
    },
  );

  it('takes over only the text of what is dropped from elsewhere', async () => {
    await page.show({ ...whole, value: '<p>and grey</p>' });
    await page.drop({ 'text/html': '<h1>wide </h1>', 'text/plain': 'wide ' });
    expect(await page.value()).toBe('<p>wide and grey</p>');
    await page.set({ disabled: true });
    await page.drop({ 'text/plain': 'very ' });
    expect(await field().innerText()).toBe('wide and grey');
  });

  it('says that it is too long, unless longer texts may be submitted', async () => {
    await page.show({ ...whole, value: '<p>one two three</p>' });
    const told = page.question.getByText('it has more words than allowed');
    expect(await told.count()).toBe(0);
    await page.focusText(field());
    await press('Control+End');
    await type(' four');
    await told.waitFor();
    await page.announced('it has more words than allowed');
    const description = page.question.locator(`#${await field().getAttribute('aria-describedby')}`);
    expect(await description.innerText()).toContain('Words: 4 of 3');
    await page.set({ question: { ...whole.question, submit_over_limit: true } });
    expect(await told.count()).toBe(0);
    expect(await page.question.getByText('Words: 4 of 3').count()).toBe(1);
  });

  it('has the height that the question asks for', async () => {
    await page.show(whole);
    expect((await field().boundingBox())!.height).toBe(200);
    await page.set({ value: '<p>line</p>'.repeat(40) });
    expect((await field().boundingBox())!.height).toBe(300);
  });
});

describe('the character maps of a formatted text', () => {
  const maps: Shown = { ...whole, value: '<p>ab</p>' };
  const opener = (name = 'Mathematical characters') => tool(name);
  const palette = (name = 'Mathematical characters') => page.question.getByRole('toolbar', { name });
  const labels = async (name?: string) =>
    palette(name)
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => (button as { ariaLabel?: string }).ariaLabel ?? ''));

  it('put a character in at the caret, and give the focus back to the text', async () => {
    await page.show(maps);
    await page.focusText(field());
    await press('Control+End', 'ArrowLeft');
    await opener('Special characters').click();
    await tool('Insert ß, sharp s').click();
    expect(await page.value()).toBe('<p>aßb</p>');
    expect(await page.hasFocus(field())).toBe(true);
    await opener().click();
    await tool('Insert ⁻, superscript minus sign').click();
    await tool('Insert ², superscript 2').click();
    await type('x');
    expect(await page.value()).toBe('<p>aß⁻²xb</p>');
    await tool('Bold').click();
    await tool('Insert ∞, infinity').click();
    expect(await page.value()).toBe('<p>aß⁻²x<strong>∞</strong>b</p>');
  });

  it('are one tab stop each, between tools and text; arrows move within them, and Escape closes them', async () => {
    await page.show(maps);
    await page.leave();
    await page.tabTo(tool('Bold'));
    while (!(await page.hasFocus(opener()))) await press('ArrowRight');
    expect(await opener().getAttribute('aria-expanded')).toBe('false');
    await press('Enter');
    expect(await opener().getAttribute('aria-expanded')).toBe('true');
    expect(await page.hasFocus(opener())).toBe(true);
    await press('Tab', 'ArrowRight', 'ArrowRight', 'Space');
    expect([await page.value(), await page.hasFocus(field())]).toEqual(['<p>²ab</p>', true]);
    await press('Shift+Tab', 'Escape');
    expect([await page.hasFocus(opener()), await palette().count()]).toEqual([true, 0]);
    await press('Enter', 'Escape');
    expect([await page.hasFocus(opener()), await palette().count()]).toEqual([true, 0]);
    await press('Enter');
    await opener('Special characters').click();
    expect([await palette().count(), await palette('Special characters').count()]).toEqual([0, 1]);
    expect(await labels('Special characters')).toEqual(['Insert ß, sharp s', 'Insert ø, o with stroke']);
    await page.focusText(field());
    await press('Shift+Tab', 'ArrowRight', 'Space');
    expect(await page.value()).toBe('<p>²øab</p>');
  });

  it.each(['ltr', 'rtl'] as const)(
    'have no barriers and fit into a narrow window, with text direction %s',
    async (direction) => {
      await page.show({ ...maps, direction });
      await opener().click();
      for (const scheme of ['dark', 'light'] as const) {
        await page.colourScheme(scheme);
        expect([scheme, await page.axeViolations()]).toEqual([scheme, []]);
        await page.picture(`character-map-${scheme}-${direction}`);
      }
      expect(await page.smallTargets()).toEqual([]);
      try {
        await page.resize(320);
        expect(await page.overflow()).toBe(0);
        await page.picture(`character-map-narrow-${direction}`);
      } finally {
        await page.resize();
      }
    },
  );

  it.each([
    ['en', 'Special characters', 'Mathematical characters', ['Insert Ç, capital c with cedilla', 'Insert ⅚, 5 over 6']],
    ['de', 'Sonderzeichen', 'Mathematische Zeichen', ['Ç, großes c mit Cedille einfügen', '⅚, 5 durch 6 einfügen']],
  ])('have a name for each character, unlike all others: %s', async (language, special, mathematical, some) => {
    const question = { character_map: true, formatting_options: ['mathCharacterMap'] };
    await page.show({ ...maps, language, question });
    const names: string[] = [];
    for (const map of [special, mathematical]) {
      await opener(map).click();
      names.push(...(await labels(map)));
    }
    expect(names).toEqual(expect.arrayContaining(some));
    expect(names.filter((name) => !name.includes(', '))).toEqual([]);
    // Only the two maps together have a character twice.
    expect(new Set(names.map((name) => name.replace(/\S+, /, ''))).size).toBe(new Set(names).size);
  });

  it('are also offered by a question that names no tools, and by `character_map` as text', async () => {
    for (const [character_map, count] of [
      ['1', 1],
      [false, 0],
      ['', 0],
      [[], 0],
    ] as const) {
      await page.show({ ...maps, question: { character_map: character_map as Json, formatting_options: [] } });
      expect([character_map, await opener('Special characters').count()]).toEqual([character_map, count]);
    }
    await page.show({ ...maps, question: { formatting_options: ['charactermap'] } });
    await opener('Special characters').click();
    await tool('Insert É, capital e with acute accent').click();
    expect(await page.value()).toBe('<p>Éab</p>');
  });

  it('begin a paragraph when the caret is before a table at the start of the text', async () => {
    const table = '<table><tbody><tr><td><p></p></td></tr></tbody></table>';
    await page.show({ ...maps, value: table });
    await page.focusText(field());
    await press('Control+Home', 'ArrowLeft');
    await opener().click();
    await tool('Insert ½, 1 over 2').click();
    expect(await page.value()).toBe(`<p>½</p>${table}`);
  });
});

describe('a long text', () => {
  it.each([
    ['longtextV2', '<p>wide and grey</p>'],
    ['plaintext', 'wide and grey'],
  ])('counts its words once for each key: %s', async (type, value) => {
    await page.show({ type, question: {}, value });
    await page.page.evaluate(`{
      const { split } = String.prototype;
      globalThis.counts = 0;
      String.prototype.split = function (...by) {
        if (this.startsWith('wide and')) counts++;
        return split.apply(this, by);
      };
      globalThis.putBack = () => (String.prototype.split = split);
    }`);
    try {
      await page.focusText(field());
      await press('Control+End');
      await press('!');
      expect(await page.value()).toBe(value.replace('grey', 'grey!'));
      expect(await page.page.evaluate('counts')).toBe(1);
    } finally {
      await page.page.evaluate('putBack()');
    }
  });
});

describe('the clipboard buttons of a plain text', () => {
  const plain = {
    type: 'plaintext',
    question: { stimulus: 'Describe the sea.', show_copy: true, show_cut: true, show_paste: true },
    value: 'wide and grey',
  };

  it('copy, cut and paste the selected text', async () => {
    await page.allowClipboard();
    await page.show(plain);
    await field().focus();
    /** Uses a button, which gives the focus back when it is done. */
    const use = async (name: string) => {
      await tool(name).click();
      await until(async () => (await page.hasFocus(field())) || undefined);
    };
    await press('Control+a');
    await use('Copy');
    await press('End');
    await use('Paste');
    expect(await page.value()).toBe('wide and greywide and grey');
    await press('Control+a');
    await use('Cut');
    expect(await page.value()).toBeNull();
    expect(await page.axeViolations()).toEqual([]);
  });

  it('are absent if the question does not ask for them', async () => {
    await page.show({ ...plain, question: { stimulus: 'x' } });
    expect(await page.question.getByRole('button').count()).toBe(0);
  });
});
