import { html, nothing, type ReactiveController, svg, type TemplateResult } from 'lit';
import { GapCursor } from 'prosemirror-gapcursor';
import { DOMParser, DOMSerializer, type Node } from 'prosemirror-model';
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import { EditorView } from 'prosemirror-view';
import { sanitise } from '../../content/sanitise';
import { setStyles } from '../../content/set-styles';
import { tools as english } from '../../labels/tools-en';
import { textOf } from '../../members';
import type { QuestionElement } from '../../question-element';
import { toolsNamed, USUAL_TOOLS } from '../../tool-names';
import { moveInToolbar } from '../toolbar';
import { CharacterMaps, isMap } from './character-maps';
import { dropText, pluginsFor } from './plugins';
import { schema } from './schema';
import { TABLE_TOOLS, type Tool, TOOLS } from './tools';

interface RichTextOptions {
  /** The stored HTML, or plain text. */
  value: unknown;
  labelledBy: string;
  describedBy: string;
  placeholder: string;
  spellcheck: boolean;
  /** CSS lengths. */
  minHeight?: string;
  maxHeight?: string;
}

type Named = keyof typeof TOOLS | keyof typeof TABLE_TOOLS;

const parser = DOMParser.fromSchema(schema);
const serializer = DOMSerializer.fromSchema(schema);

/** A field for formatted text, with the tools that the question offers. It holds the text as HTML. */
export class RichTextField implements ReactiveController {
  readonly #holder = document.createElement('div');
  #view: EditorView | undefined;
  /** The value that the field shows. */
  #value: string | undefined;
  #options!: RichTextOptions;
  /** The tools and options that the field shows, as text. */
  #setUp = '';
  readonly #maps: CharacterMaps;

  /** @param type receives the HTML after each change by the learner; null when the field is empty. */
  constructor(
    private readonly host: QuestionElement,
    private readonly type: (html: string | null) => void,
  ) {
    host.addController(this);
    this.#maps = new CharacterMaps(host);
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  /** Keeps the toolbar reachable by Tab. Its tab stop may have been a table tool, which disappears outside of tables. */
  hostUpdated(): void {
    const tools = [...this.host.renderRoot.querySelectorAll<HTMLElement>('.formatting button')];
    if (tools.length > 0 && tools.every(({ tabIndex }) => tabIndex < 0)) tools[0]!.tabIndex = 0;
  }

  hostDisconnected(): void {
    this.#view?.destroy();
    this.#view = undefined;
  }

  render(options: RichTextOptions): TemplateResult {
    this.#options = options;
    const { value: stored, ...rest } = options;
    const value = textOf(stored);
    const setUp = JSON.stringify([this.#names, rest, this.host.isReadOnly]);
    // Other updates leave the view alone, because they would move back a caret whose move the browser has not reported yet.
    if (this.#view && (value !== this.#value || setUp !== this.#setUp))
      this.#view.updateState(this.#stateOf(documentOf(value)));
    const view = (this.#view ??= this.#create(documentOf(value)));
    this.#value = value;
    this.#setUp = setUp;
    return html`<div class="rich-text">
      ${this.host.isReadOnly ? nothing : [this.#toolbar(view), this.#maps.palette(this.#offered, view)]}
      <div class="sizes" ${setStyles({ '--min-size': options.minHeight, '--max-size': options.maxHeight })}>
        ${this.#holder}
      </div>
    </div>`;
  }

  #create(doc: Node): EditorView {
    return new EditorView(
      { mount: this.#holder },
      {
        state: this.#stateOf(doc),
        editable: () => !this.host.isReadOnly,
        attributes: ({ doc }) => this.#attributes(doc),
        dispatchTransaction: (change) => this.#apply(change),
        // An answer must not make its reader's browser send a request, so images are shown by their names.
        nodeViews: { image: ({ attrs }) => ({ dom: this.#imageName(textOf(attrs['alt'])) }) },
        handleDOMEvents: {
          paste: (view, event) => {
            const [html, text] = ['text/html', 'text/plain'].map((type) => event.clipboardData?.getData(type) ?? '');
            // The field itself takes plain text.
            if (!view.editable || (!html && text)) return false;
            event.preventDefault();
            const content = sanitise(html!);
            for (const image of content.querySelectorAll('img')) image.remove();
            const slice = parser.parseSlice(content);
            if (slice.size === 0) this.host.announce('only_text');
            else view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView());
            return true;
          },
          drop: dropText,
        },
      },
    );
  }

  #imageName(name: string): HTMLElement {
    const dom = document.createElement('span');
    dom.className = 'image';
    dom.textContent = name || this.host.label('image');
    return dom;
  }

  #attributes(doc: Node): Record<string, string> {
    const { labelledBy, describedBy, placeholder, spellcheck } = this.#options;
    return {
      id: 'answer',
      class: 'field',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-labelledby': labelledBy,
      'aria-describedby': describedBy,
      spellcheck: String(spellcheck),
      ...(this.host.isReadOnly && { 'aria-readonly': 'true', tabindex: '0' }),
      ...(placeholder !== '' && { 'aria-placeholder': placeholder }),
      ...(isEmpty(doc) && { 'data-empty': placeholder }),
    };
  }

  #apply(change: Transaction): void {
    const view = this.#view!;
    view.updateState(view.state.apply(change));
    if (!change.docChanged) return this.host.requestUpdate();
    const written = htmlOf(view.state.doc);
    this.#value = written ?? '';
    this.type(written);
  }

  #stateOf(doc: Node): EditorState {
    return EditorState.create({ doc, plugins: pluginsFor(schema, this.#names) });
  }

  /** The names of the tools that the question offers. */
  get #offered(): readonly string[] {
    const { formatting_options: wanted } = this.host.question;
    const known = (name: string) => name === '|' || Object.hasOwn(TOOLS, name) || isMap(name);
    const names = toolsNamed(Array.isArray(wanted) ? wanted : USUAL_TOOLS).map((name) => textOf(name));
    return this.#maps.with(names.filter(known));
  }

  get #names(): (keyof typeof TOOLS)[] {
    return this.#offered.filter((name) => Object.hasOwn(TOOLS, name)) as (keyof typeof TOOLS)[];
  }

  #toolbar(view: EditorView): unknown {
    const names = this.#offered;
    const first = names.find((name) => name !== '|');
    if (first === undefined) return nothing;
    const inTable = isInTable(view.state) ? ['|', ...Object.keys(TABLE_TOOLS)] : [];
    return html`<div
      class="formatting"
      role="toolbar"
      aria-label=${this.host.label('formatting')}
      aria-controls="answer"
      @keydown=${moveInToolbar}
    >
      ${[...names, ...inTable].map((name) => {
        if (name === '|') return html`<span class="divider"></span>`;
        if (isMap(name)) return this.#maps.button(name, name === first);
        return this.#button(view, name as Named, name === first);
      })}
    </div>`;
  }

  #button(view: EditorView, name: Named, isFirst: boolean): TemplateResult {
    const { outline, run, isOn }: Tool = { ...TOOLS, ...TABLE_TOOLS }[name];
    const key = `format_${name}` as const;
    const label = this.host.labels[key] ?? english[key];
    const begun = paragraphBegun(view.state);
    const canRun = run(view.state, undefined, view) || (begun && run(view.state.apply(begun), undefined, view));
    const use = ({ detail }: MouseEvent) => {
      const runNow = () => run(view.state, (change) => view.dispatch(change), view);
      const begun = paragraphBegun(view.state);
      if (!runNow() && begun) {
        view.dispatch(begun);
        runNow();
      }
      // A click by keyboard has no detail. The focus then stays in the toolbar, unless the button disappears with its table.
      if (detail > 0 || (Object.hasOwn(TABLE_TOOLS, name) && !isInTable(view.state))) view.focus();
    };
    return html`<button
      type="button"
      class="button"
      title=${label}
      aria-label=${label}
      aria-pressed=${isOn ? String(isOn(view.state)) : nothing}
      aria-disabled=${canRun ? nothing : 'true'}
      tabindex=${isFirst ? 0 : -1}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${use}
    >
      ${svg`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${outline} /></svg>`}
    </button>`;
  }
}

/** Begins a paragraph if the caret is between blocks, such as before a table, where most tools cannot run. */
function paragraphBegun({ selection, tr }: EditorState): Transaction | undefined {
  if (!(selection instanceof GapCursor)) return undefined;
  tr.insert(selection.head, schema.node('paragraph'));
  // Only what a tool does with it can be undone.
  return tr.setSelection(TextSelection.near(tr.doc.resolve(selection.head))).setMeta('addToHistory', false);
}

const isEmpty = ({ childCount, firstChild }: Node): boolean =>
  childCount === 1 && firstChild!.isTextblock && firstChild!.content.size === 0;

function documentOf(value: string): Node {
  if (/[<&]/.test(value)) return parser.parse(sanitise(value), { preserveWhitespace: true });
  const lines = value.split('\n').map((line) => (line === '' ? undefined : schema.text(line)));
  return schema.node(
    'doc',
    null,
    lines.map((line) => schema.node('paragraph', null, line)),
  );
}

function htmlOf(doc: Node): string | null {
  if (isEmpty(doc)) return null;
  // A detached document does not load images.
  const detached = document.implementation.createHTMLDocument();
  const holder = detached.createElement('div');
  holder.append(serializer.serializeFragment(doc.content, { document: detached }));
  return holder.innerHTML;
}
