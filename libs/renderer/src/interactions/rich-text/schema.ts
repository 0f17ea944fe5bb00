import { type MarkSpec, type Node, type NodeSpec, Schema } from 'prosemirror-model';
import { tableNodes } from 'prosemirror-tables';

/* What a formatted text may contain. Of anything else in a stored answer, only the text is kept. */

/** The width of one step of indentation, in pixels. */
const STEP = 40;
export const MAX_STEPS = 10;
const ALIGNMENTS = ['left', 'center', 'right', 'justify'];

/** The attributes of paragraphs and headings. */
export interface Layout {
  align: string | null;
  indent: number;
  dir: string | null;
}

const LAID_OUT = { align: { default: null }, indent: { default: 0 }, dir: { default: null } };

function layoutIn({ style, dir }: HTMLElement): Layout {
  const margin = Number.parseFloat(style.marginInlineStart || style.marginLeft) || 0;
  return {
    align: ALIGNMENTS.includes(style.textAlign) ? style.textAlign : null,
    indent: Math.min(MAX_STEPS, Math.max(0, Math.round(margin / STEP))),
    dir: dir === 'ltr' || dir === 'rtl' ? dir : null,
  };
}

function layoutOf({ attrs }: Node): Record<string, string> {
  const { align, indent, dir } = attrs as Layout;
  const styles = [
    ...(align ? [`text-align: ${align}`] : []),
    ...(indent > 0 ? [`margin-inline-start: ${indent * STEP}px`] : []),
  ];
  return { ...(styles.length > 0 && { style: styles.join('; ') }), ...(dir && { dir }) };
}

export const nodes: Record<string, NodeSpec> = {
  doc: { content: 'block+' },
  paragraph: {
    content: 'inline*',
    group: 'block',
    attrs: LAID_OUT,
    parseDOM: [{ tag: 'p', getAttrs: layoutIn }],
    toDOM: (node) => ['p', layoutOf(node), 0],
  },
  heading: {
    content: 'inline*',
    group: 'block',
    defining: true,
    attrs: { ...LAID_OUT, level: {} },
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({
      tag: `h${level}`,
      getAttrs: (element) => ({ ...layoutIn(element), level }),
    })),
    toDOM: (node) => [`h${String(node.attrs['level'])}`, layoutOf(node), 0],
  },
  blockquote: {
    content: 'block+',
    group: 'block',
    defining: true,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', 0],
  },
  code_block: {
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: () => ['pre', 0],
  },
  horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
  bullet_list: { content: 'list_item+', group: 'block', parseDOM: [{ tag: 'ul' }], toDOM: () => ['ul', 0] },
  ordered_list: {
    content: 'list_item+',
    group: 'block',
    attrs: { order: { default: 1 } },
    parseDOM: [{ tag: 'ol', getAttrs: (element) => ({ order: (element as HTMLOListElement).start }) }],
    toDOM: ({ attrs }) => ['ol', attrs['order'] === 1 ? {} : { start: attrs['order'] as number }, 0],
  },
  list_item: { content: 'paragraph block*', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
  ...tableNodes({ tableGroup: 'block', cellContent: 'block+', cellAttributes: {} }),
  text: { group: 'inline' },
  image: {
    inline: true,
    group: 'inline',
    attrs: { src: {}, alt: { default: '' } },
    parseDOM: [
      {
        tag: 'img[src]',
        getAttrs: (element) => ({ src: element.getAttribute('src'), alt: element.getAttribute('alt') ?? '' }),
      },
    ],
    toDOM: ({ attrs }) => ['img', attrs],
  },
  hard_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
};

/** A link must not take the reader away from the page, so it opens another one. */
const inNewPage = (address: string) =>
  address.startsWith('#') ? {} : { target: '_blank', rel: 'noopener noreferrer' };

export const marks: Record<string, MarkSpec> = {
  link: {
    attrs: { href: {} },
    inclusive: false,
    parseDOM: [{ tag: 'a[href]', getAttrs: (element) => ({ href: element.getAttribute('href') }) }],
    toDOM: ({ attrs }) => ['a', { ...attrs, ...inNewPage(String(attrs['href'])) }, 0],
  },
  bold: {
    parseDOM: [{ tag: 'strong' }, { tag: 'b' }, { style: 'font-weight=bold' }, { style: 'font-weight=700' }],
    toDOM: () => ['strong', 0],
  },
  italic: {
    parseDOM: [{ tag: 'em' }, { tag: 'i' }, { style: 'font-style=italic' }],
    toDOM: () => ['em', 0],
  },
  underline: { parseDOM: [{ tag: 'u' }, { style: 'text-decoration=underline' }], toDOM: () => ['u', 0] },
  strikethrough: {
    parseDOM: [{ tag: 's' }, { tag: 'strike' }, { tag: 'del' }, { style: 'text-decoration=line-through' }],
    toDOM: () => ['s', 0],
  },
  superscript: { group: 'script', excludes: 'script', parseDOM: [{ tag: 'sup' }], toDOM: () => ['sup', 0] },
  subscript: { group: 'script', excludes: 'script', parseDOM: [{ tag: 'sub' }], toDOM: () => ['sub', 0] },
  code: { parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
};

export const schema = new Schema({ nodes, marks });
