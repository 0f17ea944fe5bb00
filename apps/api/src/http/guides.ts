import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { PACKAGE_ROOT } from '#platform';
import MarkdownIt from 'markdown-it';
import { anchor } from '../declaration/describe/markdown';
import { operationsPage } from '../declaration/describe/operations-page';
import { escaped, htmlPage } from './html-page';

const FOLDER = join(PACKAGE_ROOT, 'docs');
/** Generated from the declarations. */
export const REFERENCE = 'operations.md';

/** The documentation as pages, by name below /docs: `authoring.md`, `decisions/0001-….md`. */
export class Guides {
  private readonly names = new Set([REFERENCE, ...textsIn(FOLDER)]);
  /** Pages are generated on first use. */
  private readonly pages = new Map<string, string>();
  private readonly markdown = new MarkdownIt();

  constructor() {
    const { rules } = this.markdown.renderer;
    // Wide tables and long lines scroll in their own box, also by keyboard.
    rules.table_open = () => '<div class="table" role="region" aria-label="Table" tabindex="0"><table>\n';
    rules.table_close = () => '</table></div>\n';
    rules.heading_open = (tokens, index) => {
      const { tag, attrs } = tokens[index]!;
      const id = String(attrs?.[0]?.[1]);
      return tag === 'h1' ? '<h1>' : `<${tag} id="${id}"><a href="#${id}">`;
    };
    rules.heading_close = (tokens, index) => (tokens[index]!.tag === 'h1' ? '</h1>' : `</a></${tokens[index]!.tag}>\n`);
    rules.fence = rules.code_block = (tokens, index) =>
      `<pre tabindex="0"><code>${escaped(tokens[index]!.content)}</code></pre>\n`;
  }

  /**
   * @param root the path to / from the page.
   * @returns undefined when the page does not exist.
   */
  page(name: string, root = '../'.repeat(name.split('/').length)): string | undefined {
    if (!this.names.has(name)) return undefined;
    const key = `${root} ${name}`;
    const made = this.pages.get(key) ?? this.made(name, root);
    this.pages.set(key, made);
    return made;
  }

  private made(name: string, root: string): string {
    const text = name === REFERENCE ? operationsPage() : readFileSync(join(FOLDER, name), 'utf8');
    const tokens = this.markdown.parse(text.replace(/^<!--[^]*?-->\s*/, ''), {});
    for (const { children } of tokens) this.readdress(children ?? [], name, root);
    labelCells(tokens);
    const headings = headingsOf(tokens);
    const contents = headings
      .filter(({ tag }) => tag === 'h2' || tag === 'h3')
      .map(
        ({ tag, id, text }) => `<li${tag === 'h3' ? ' class="below"' : ''}><a href="#${id}">${escaped(text)}</a></li>`,
      );
    return htmlPage({
      title: `${headings[0]?.text ?? name} – Itembank`,
      body: this.markdown.renderer.render(tokens, this.markdown.options, {}),
      contents: `<ul>${contents.join('')}</ul>`,
      root,
    });
  }

  /** Adapts links to other pages. A link to a file that this service does not serve becomes plain text. */
  private readdress(tokens: MarkdownIt.Token[], name: string, root: string): void {
    let isDropped = false;
    for (const token of tokens) {
      if (token.type === 'link_open') {
        const href = token.attrGet('href')!;
        const [path = '', fragment] = href.split('#');
        const isPage = path !== '' && !/^https?:/.test(href);
        const target = posix.join(posix.dirname(name), path);
        isDropped = isPage && !this.names.has(target);
        if (isDropped) token.attrs = null;
        else if (isPage) token.attrSet('href', `${root}docs/${target}${fragment === undefined ? '' : `#${fragment}`}`);
      }
      if (isDropped && token.type.startsWith('link_')) token.tag = 'span';
    }
  }
}

/** The texts of a folder. An installation may lack the folder. */
function textsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
}

/**
 * Gives each cell its column title, which narrow screens show, and gives numbers a class, as the policy forbids styles.
 */
function labelCells(tokens: readonly MarkdownIt.Token[]): void {
  let titles: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') titles = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type !== 'th_open' && token.type !== 'td_open') continue;
    token.attrs = token.attrGet('style')?.includes('right') ? [['class', 'number']] : null;
    if (token.type === 'th_open') titles.push(tokens[index + 1]!.content);
    else token.attrSet('data-title', titles[column++] ?? '');
  }
}

interface Heading {
  tag: string;
  id: string;
  text: string;
}

/** Gives each heading its GitHub anchor, and makes it a link to itself. */
function headingsOf(tokens: readonly MarkdownIt.Token[]): Heading[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const inline = tokens[index + 1]!;
    const text = (inline.children ?? []).map(({ content }) => content).join('');
    const heading = { tag: token.tag, id: anchor(text), text };
    token.attrSet('id', heading.id);
    return [heading];
  });
}
