import {
  type DOMOutputSpec,
  DOMSerializer,
  type Mark,
  type MarkSpec,
  type Node,
  type NodeSpec,
  Schema,
} from 'prosemirror-model';
import { marks as usualMarks, nodes as usualNodes } from '#renderer/rich-text';

/* The formats of authors' texts. The page shows none of their addresses, classes and styles, which could load pictures or
cover the page; `serializer` writes them. */

/** Marks an element that the schema does not know. It stands for the markup in its attribute. */
export const KEPT = 'itembank-kept';
/** Marks a paragraph that is written without its tag, where that is possible. */
export const BARE = 'data-bare';
/** Carries a style as it was written. The library would rewrite it. */
export const STYLE = 'data-written-style';

type Attributes = Record<string, string>;
type ToDom<T> = (node: T, inline: boolean) => DOMOutputSpec;

/** Divides an output of `toDOM` into its tag, its attributes and its content. */
function split(output: DOMOutputSpec): { tag: string; attributes: Attributes; rest: unknown[] } {
  const [tag, first, ...rest] = output as [string, ...unknown[]];
  const hasAttributes = typeof first === 'object' && first !== null && !Array.isArray(first);
  const written = hasAttributes ? (first as Record<string, unknown>) : {};
  const attributes = Object.entries(written).filter(([, value]) => value !== null && value !== undefined);
  return {
    tag,
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name, String(value)])),
    rest: hasAttributes ? rest : first === undefined ? [] : [first, ...rest],
  };
}

/** The attributes that `toDOM` would leave out or change. Null: there are none. */
function othersOf(element: HTMLElement, written: Attributes): Attributes | null {
  const others = [...element.attributes].filter(
    ({ name, value }) => normalised(name, written[name]) !== normalised(name, value),
  );
  return others.length === 0 ? null : Object.fromEntries(others.map(({ name, value }) => [name, value]));
}

/** The value of an attribute, without the spaces and the last semicolon that styles may have. */
export const normalised = (name: string, value: string | undefined): string | undefined =>
  name === 'style' && value !== undefined
    ? value
        .split(';')
        .map((part) =>
          part
            .split(':')
            .map((each) => each.trim())
            .join(':'),
        )
        .filter(Boolean)
        .join(';')
    : value;

/** Lets a format keep all attributes of its elements. Rules about styles go: `span` keeps styles. */
function keepingAttributes<S extends NodeSpec | MarkSpec>(spec: S): S {
  const toDOM = spec.toDOM as ToDom<unknown> | undefined;
  if (!toDOM || !spec.parseDOM) return spec;
  const rules = (
    spec.parseDOM as { tag?: string; attrs?: object; getAttrs?: (element: HTMLElement) => object }[]
  ).filter(({ tag }) => tag !== undefined);
  return {
    ...spec,
    attrs: { ...spec.attrs, others: { default: null } },
    parseDOM: rules.map(({ attrs, getAttrs, ...rule }) => ({
      ...rule,
      getAttrs: (element: HTMLElement) => {
        const own = { ...attrs, ...getAttrs?.(element) };
        const others = othersOf(element, split(toDOM({ attrs: own }, true)).attributes);
        // A style that is kept contains the layout already, so the layout is not written a second time.
        return others?.['style'] === undefined ? { ...own, others } : { ...own, align: null, indent: 0, others };
      },
    })),
  };
}

function mapped<S extends NodeSpec | MarkSpec>(specs: Record<string, S>, map: (spec: S) => S): Record<string, S> {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, map(spec)]));
}

const { paragraph, doc, ...otherNodes } = usualNodes as Record<'paragraph' | 'doc', NodeSpec> &
  Record<string, NodeSpec>;
const { link, ...otherMarks } = usualMarks as Record<'link', MarkSpec> & Record<string, MarkSpec>;

/** The nodes as texts have them, with all attributes. */
const nodes = mapped<NodeSpec>(
  {
    // Whether text at the outer level may stand without a paragraph.
    doc: { ...doc, attrs: { isBare: { default: false } } },
    paragraph: {
      ...paragraph,
      attrs: { ...paragraph.attrs, isTagged: { default: false } },
      parseDOM: paragraph.parseDOM!.map((rule) => ({
        ...rule,
        getAttrs: (element: HTMLElement) => ({
          ...(rule.getAttrs as (element: HTMLElement) => object)(element),
          isTagged: !element.hasAttribute(BARE),
        }),
      })),
      toDOM: (node) => {
        const { tag, attributes, rest } = split(paragraph.toDOM!(node));
        return [tag, { ...attributes, ...(!node.attrs['isTagged'] && { [BARE]: '' }) }, ...rest] as DOMOutputSpec;
      },
    },
    ...otherNodes,
    div: {
      content: 'block+',
      group: 'block',
      defining: true,
      parseDOM: [{ tag: 'div' }],
      toDOM: () => ['div', 0],
    },
    image: {
      inline: true,
      group: 'inline',
      attrs: { src: {}, alt: { default: null } },
      parseDOM: [
        {
          tag: 'img[src]',
          getAttrs: (element) => ({ src: element.getAttribute('src'), alt: element.getAttribute('alt') }),
        },
      ],
      toDOM: ({ attrs }) => ['img', { src: attrs['src'] as string, alt: attrs['alt'] as string | null }],
    },
    kept_inline: kept({ group: 'inline', inline: true }, `${KEPT}:not([data-block])`, {}),
    kept_block: kept({ group: 'block' }, `${KEPT}[data-block]`, { 'data-block': '' }),
  },
  keepingAttributes,
);

function kept(spec: NodeSpec, tag: string, attributes: Attributes): NodeSpec {
  return {
    ...spec,
    atom: true,
    attrs: { html: {} },
    parseDOM: [{ tag, getAttrs: (element) => ({ html: element.getAttribute('data-html') ?? '' }) }],
    toDOM: ({ attrs }) => [KEPT, { ...attributes, 'data-html': String(attrs['html']) }],
  };
}

const marks = mapped<MarkSpec>(
  {
    link: { ...link, toDOM: ({ attrs }) => ['a', { href: String(attrs['href']) }, 0] },
    ...otherMarks,
    // Several may be around the same text.
    span: { excludes: '', parseDOM: [{ tag: 'span' }], toDOM: () => ['span', 0] },
  },
  keepingAttributes,
);

/** Drops the attributes that could cover the page or load something into it. */
const withoutAttributes = <S extends NodeSpec | MarkSpec>(spec: S): S =>
  spec.toDOM ? { ...spec, toDOM: (node: never) => shown((spec.toDOM as ToDom<unknown>)(node, true)) } : spec;

function shown(output: DOMOutputSpec): DOMOutputSpec {
  const { tag, attributes, rest } = split(output);
  const { style, dir, start, colspan, rowspan } = attributes as Partial<Attributes>;
  const harmless = Object.entries({ style, dir, start, colspan, rowspan }).filter(([, value]) => value !== undefined);
  return [tag, Object.fromEntries(harmless), ...rest] as DOMOutputSpec;
}

export const schema = new Schema({
  nodes: mapped(nodes, withoutAttributes),
  marks: mapped(marks, withoutAttributes),
});

/** Writes all attributes. */
const writing = <T extends Node | Mark>(specs: Record<string, NodeSpec | MarkSpec>) =>
  Object.fromEntries(
    Object.entries(specs)
      .filter(([, { toDOM }]) => toDOM)
      .map(([name, spec]) => [
        name,
        (node: T): DOMOutputSpec => {
          const { tag, attributes, rest } = split((spec.toDOM as ToDom<T>)(node, true));
          const others = (node.attrs['others'] ?? {}) as Partial<Attributes>;
          const style = [others['style'], attributes['style']].filter(Boolean).join('; ');
          return [
            tag,
            { ...attributes, ...others, style: null, ...(style && { [STYLE]: style }) },
            ...rest,
          ] as DOMOutputSpec;
        },
      ]),
  );

export const serializer = new DOMSerializer(
  { ...writing<Node>(nodes), text: DOMSerializer.nodesFromSchema(schema)['text']! },
  writing<Mark>(marks),
);
