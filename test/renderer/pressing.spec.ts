import { simpleshading } from './cases/simpleshading';
import { tokenhighlight } from './cases/tokenhighlight';
import { pressingSuite } from './support/pressing';
import { questionPage, shownOf } from './support/suite';

pressingSuite(simpleshading);
pressingSuite(tokenhighlight);

describe('the tokens of a text', () => {
  const page = questionPage();

  it('are the same in browsers of every language, because answers contain their positions', async () => {
    const devtools = await page.page.context().newCDPSession(page.page);
    // Greek questions end with a semicolon.
    await devtools.send('Emulation.setLocaleOverride', { locale: 'el' });
    try {
      const template = 'The sea is wet; the sand is dry. Both are warm.';
      await page.show({ type: 'tokenhighlight', question: { template, tokenization: 'sentence' } });
      const tokens = page.question.locator('.token');
      expect(await tokens.allInnerTexts()).toEqual(['The sea is wet; the sand is dry.', 'Both are warm.']);
    } finally {
      await devtools.send('Emulation.setLocaleOverride', {});
      await devtools.detach();
    }
  });
});

describe('a grid over an image', () => {
  const page = questionPage();

  it('has room for the whole image, so that nothing scrolls downwards', async () => {
    await page.show(shownOf(simpleshading[1]!));
    await page.question.locator('img').waitFor();
    const heights = await page.question
      .locator('.scrolls')
      .evaluate(({ scrollHeight, clientHeight }: Record<string, number>) => [scrollHeight, clientHeight]);
    expect(heights[0]).toBe(heights[1]);
  });
});
