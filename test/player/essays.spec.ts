import { item, question } from '../support/builders';
import { expectSoon } from '../support/expect-soon';
import { TestPage } from '../support/page';
import { until } from '../support/until';
import { allSaved, button, dialog, heard, hostPageWith } from './host-page';

describe('a text answer', () => {
  const host = hostPageWith({
    questions: ['shorttext', 'plaintext'].map((type) =>
      question({ reference: `q-${type}`, type, data: { type, stimulus: type, validation: {} } }),
    ),
    items: [item(['q-shorttext', 'q-plaintext'], { reference: 'i-texts' })],
  });

  it('is stored with the number of its words or characters', async () => {
    const request = TestPage.request({ items: ['i-texts'] });
    const page = await host.visit(request);
    await button(page, 'Start').click();
    await page.getByRole('textbox', { name: 'shorttext' }).fill('sea shore');
    await page.getByRole('textbox', { name: 'plaintext' }).fill('wide\n\nand grey');
    await button(page, 'Save').click();
    await allSaved(page);
    const { responses } = await host.session(request.session_id);
    const [short, plain] = (responses as { response: object }[]).map(({ response }) => response);
    expect(short).toMatchObject({ value: 'sea shore', characterCount: 9, type: 'string' });
    expect(plain).toMatchObject({ value: 'wide\n\nand grey', wordCount: 3, type: 'string' });
    await page.reload();
    await until(async () => (await heard(page)).includes('ready') || undefined);
    expect(await page.evaluate('Object.values(app.getResponses())[1].wordCount')).toBe(3);
  });

  it('is stored without the characters that the service refuses, and so are all other answers', async () => {
    const request = TestPage.request({ items: ['i-texts'], config: { navigation: { show_intro: false } } });
    const page = await host.visit(request);
    await page.getByRole('textbox', { name: 'plaintext' }).fill('pasted\0 text 👩‍👧 שלום');
    const short = page.getByRole('textbox', { name: 'shorttext' });
    await short.evaluate((input: { value: string; dispatchEvent(event: unknown): void }) => {
      input.value = 'half \ud83d of a pair';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.evaluate('new Promise((success, error) => app.save({ success, error }))');
    const { responses } = await host.session(request.session_id);
    expect((responses as { response: { value: string } }[]).map(({ response }) => response.value)).toEqual([
      'half \ufffd of a pair',
      'pasted text 👩‍👧 שלום',
    ]);
  });
});

describe('a formatted essay', () => {
  const host = hostPageWith({
    questions: [
      question({
        reference: 'q-essay',
        type: 'longtextV2',
        data: { type: 'longtextV2', stimulus: 'Describe the sea.', max_length: 3, validation: { max_score: 5 } },
      }),
    ],
    items: [item(['q-essay'], { reference: 'i-essay' })],
  });
  const wanted = (more: object = {}) => TestPage.request({ items: ['i-essay'], ...more });

  it('is saved with its formats, and shown with them after a reload and in the review', async () => {
    const request = wanted();
    const page = await host.visit(request);
    await button(page, 'Start').click();
    const essay = page.getByRole('textbox', { name: 'Describe the sea.' });
    await essay.pressSequentially('wide ');
    await button(page, 'Bold').click();
    await page.keyboard.type('sea');
    await button(page, 'Save').click();
    await allSaved(page);
    const value = '<p>wide <strong>sea</strong></p>';
    expect((await host.session(request.session_id)).responses[0].response).toMatchObject({ value, wordCount: 2 });
    await page.reload();
    await expectSoon(() => essay.getByRole('strong').innerText()).toBe('sea');
    await button(page, 'Finish').click();
    await button(page, 'Submit').click();
    await page.getByRole('heading', { name: 'Your answers have been submitted' }).waitFor();
    const review = await host.visit({ ...request, state: 'review' });
    await review.getByRole('textbox', { name: 'Describe the sea.' }).getByRole('strong').waitFor();
  });

  it('has no spell checking if the page takes it from all questions', async () => {
    const config = { questions_api_init_options: { attribute_overrides: { spellcheck: false } } };
    const page = await host.visit(wanted({ config: { ...config, navigation: { show_intro: false } } }));
    const essay = page.getByRole('textbox', { name: 'Describe the sea.' });
    await expectSoon(() => essay.getAttribute('spellcheck')).toBe('false');
    const usual = await host.visit(wanted({ config: { navigation: { show_intro: false } } }));
    const other = usual.getByRole('textbox', { name: 'Describe the sea.' });
    await expectSoon(() => other.getAttribute('spellcheck')).toBe('true');
  });

  it('cannot be submitted while it has more words than allowed', async () => {
    const page = await host.visit(wanted());
    await button(page, 'Start').click();
    const essay = page.getByRole('textbox', { name: 'Describe the sea.' });
    await essay.fill('one two three four');
    expect(await page.evaluate('app.unsaveableQuestions().length')).toBe(1);
    await button(page, 'Finish').click();
    await dialog(page, 'Question 1: the text has more words than allowed. Shorten it before you submit.').waitFor();
    await button(page, 'Stay here').click();
    await essay.fill('one two three');
    expect(await page.evaluate('app.unsaveableQuestions()')).toEqual([]);
    await button(page, 'Finish').click();
    await dialog(page, 'Submit this test?').waitFor();
  });

  it('cannot be submitted from an inline page while it has more words than allowed', async () => {
    const page = await host.visit(wanted({ rendering_type: 'inline' }), {
      body: '<span class="learnosity-item" data-reference="i-essay"></span>',
    });
    await until(async () => (await heard(page)).includes('ready'));
    await page.getByRole('textbox').fill('one two three four');
    await page.evaluate('app.submit()');
    await until(async () => (await heard(page)).includes('test:submit:error'));
  });
});
