import { ConsoleBrowser } from './support/console-browser';

const console = ConsoleBrowser.ofSuite();

/** Runs a script in the page, and returns the name of the error that it throws. */
const thrown = (script: string) => `(() => { try { ${script} } catch (error) { return error.name } })()`;

describe('Trusted Types in the console', () => {
  it.each([
    ['markup with an element', `document.body.innerHTML = '<img src=x onerror="document.title = 1">'`],
    ['markup beside an element', `document.body.insertAdjacentHTML('beforeend', '<b>x</b>')`],
    ['markup of a frame', `document.createElement('iframe').srcdoc = '<b>x</b>'`],
    ['the address of a script', `document.createElement('script').src = '/console/x.js'`],
    ['the text of a script', `document.createElement('script').textContent = 'document.title = 1'`],
    ['markup to parse', `new DOMParser().parseFromString('<b>x</b>', 'text/html')`],
    ['a policy of its own', `trustedTypes.createPolicy('mine', { createHTML: (text) => text })`],
    ['a second policy of a known name', `trustedTypes.createPolicy('parsing', { createHTML: (text) => text })`],
  ])('refuse %s that a script sets', async (_, script) => {
    const { page } = await console.signIn(['viewer'], { mayFail: true });
    await console.visit(page, '/items');
    expect(await page.evaluate(thrown(script))).toBe('TypeError');
    expect(await page.title()).not.toBe('1');
  });

  it('let the texts of styles pass', async () => {
    const { page } = await console.signIn(['viewer']);
    await console.visit(page, '/items');
    expect(await page.evaluate(thrown(`document.createElement('style').innerHTML = 'b > i { color: red }'`))).toBe(
      undefined,
    );
  });
});
