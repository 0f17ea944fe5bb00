import { xmlElement, xmlText } from '../../xml-writing';
import { type Json, type JsonObject } from '#kernel';
import { compile, itemScoringType, readValidation, rightAnswer, type Validation } from '#scoring';
import { ASSET_TOKEN, type ItemRecord, type Widget } from '../../entry';
import { type NoteCode } from '../../note';
import { CHOICES } from './choices';
import { CLASSIFICATION } from './classification';
import { type Compared } from './compared';
import { Expressions } from './expressions';
import { extendedText, MANUAL } from './manual';
import { MENU_TYPES } from './menus';
import { PAIRS } from './pairs';
import { type Mapping, points, type Scored, scoredBy } from './processing';
import {
  isObject,
  type KnownType,
  listOf,
  numberOf,
  objectOf,
  type QuestionContext,
  type Size,
  textOf,
  type Variable,
  type Written,
} from './question';
import { totalOf } from './total';
import { TYPED_TYPES } from './typed';
import { type Vocabulary } from './vocabulary';
import { xhtmlOf, xhtmlWithTokens } from './xhtml';

/** Every type of question that QTI can hold. */
const TYPES: Readonly<Record<string, KnownType>> = {
  ...CHOICES,
  ...PAIRS,
  ...CLASSIFICATION,
  ...TYPED_TYPES,
  ...MENU_TYPES,
  ...MANUAL,
};
export const WRITTEN_TYPES = Object.keys(TYPES);

/** Members that every question has, and that QTI holds. */
const COMMON = ['type', 'stimulus', 'is_math', 'validation', 'instant_feedback', 'feedback_attempts'];

interface ItemSurroundings {
  vocabulary: Vocabulary;
  identifier: string;
  /** The path from the item to the files of the package. */
  media: string;
  /** Sizes of pictures by their addresses. */
  sizes: ReadonlyMap<string, Size>;
  /** The address of the file for a passage; undefined if the item itself contains the text. */
  stimulus(widget: Widget): { identifier: string; href: string } | undefined;
  note(code: NoteCode, was: string): void;
}

/** A question of an item, and the outcome that holds its points. */
interface Question {
  written: Written;
  outcome: string;
  maxScore: number;
  /** Whether a person gives the points. */
  isManual: boolean;
  rules: string;
  outcomes: readonly string[];
  template?: string;
  mapping?: Mapping;
}

/** Writes an item. */
export class ItemWriter {
  private readonly e: Expressions;
  private readonly v: Vocabulary;
  private readonly questions: Question[] = [];

  constructor(
    private readonly record: Pick<ItemRecord, 'title' | 'definition' | 'widgets' | 'features' | 'metadata'>,
    private readonly around: ItemSurroundings,
  ) {
    this.v = around.vocabulary;
    this.e = new Expressions(this.v);
  }

  write(): string {
    const { v, record, around } = this;
    const shown = new Map(record.widgets.map((widget) => [widget.reference, widget]));
    const features = new Set(record.features);
    const count = record.widgets.filter(({ reference }) => !features.has(reference)).length;
    const bodies = new Map<string, string>();
    const stimuli: string[] = [];
    let place = 0;
    for (const widget of record.widgets) {
      if (!features.has(widget.reference)) bodies.set(widget.reference, this.question(widget, count, ++place));
      else {
        const stimulus = widget.type === 'sharedpassage' ? around.stimulus(widget) : undefined;
        if (stimulus) stimuli.push(v.element('assessmentStimulusRef', { ...stimulus }));
        else bodies.set(widget.reference, this.feature(widget));
      }
    }
    const order = this.order().filter((reference) => shown.has(reference));
    const body = [...order, ...bodies.keys()]
      .filter((reference, at, all) => all.indexOf(reference) === at)
      .map((reference) => bodies.get(reference) ?? '');
    const attributes = { identifier: around.identifier, title: record.title ?? around.identifier };
    const written = v.element(
      'assessmentItem',
      { ...attributes, adaptive: false, timeDependent: false },
      ...this.questions.flatMap((question) => this.declarations(question)),
      ...this.outcomes(),
      ...stimuli,
      v.element('itemBody', {}, body.join('') || '<div> </div>'),
      this.processing(),
    );
    const html5 = v.html5 ? ` xmlns:${v.html5.prefix}="${v.html5.namespace}"` : '';
    return `<?xml version="1.0" encoding="UTF-8"?>\n${written.replace(/^<[\w-]+/, `$& xmlns="${v.namespace}"${html5}`)}\n`;
  }

  /** The references of the widgets in the order in which they are shown. */
  private order(): string[] {
    const { definition } = this.record;
    if (!definition) return [];
    const own = listOf(definition.widgets);
    const inRegions = listOf(definition.regions).flatMap((region) => listOf(objectOf(region).widgets));
    if (inRegions.length > 0) this.around.note('layout-approximated', 'the columns and tabs of the item');
    return [...inRegions, ...own].map((widget) => textOf(objectOf(widget).reference));
  }

  private question({ type, data }: Widget, count: number, place: number): string {
    const outcome = count === 1 ? 'SCORE' : `SCORE_${place}`;
    const base = count === 1 ? 'RESPONSE' : `RESPONSE_${place}`;
    const validation = readValidation({ ...data, type });
    const right = validation.marking === 'automatic' ? rightAnswer({ ...data, type }) : undefined;
    const context = this.context(base, right);
    const scorer = compile({ ...data, type });
    const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    let written = known?.write({ ...data, type }, validation, context);
    if (!written) {
      const isScored = validation.marking === 'automatic';
      this.around.note(isScored ? 'interaction-lost' : 'interaction-approximated', type);
      written = this.substitute(type, data, context);
    } else this.noteMembers(type, data, known!.members);
    const isUnscored = validation.marking === 'none';
    const isManual = !isUnscored && (!written.compared || validation.marking === 'manual');
    const scored =
      written.compared && validation.marking === 'automatic'
        ? this.scoring(validation, written.compared, outcome, scorer.maxScore)
        : { rules: '', outcomes: [] };
    this.questions.push({ written, outcome, maxScore: isUnscored ? 0 : scorer.maxScore, isManual, ...scored });
    // An inline question is part of the text around it.
    return `<div>${context.html(data.stimulus)}${written.body}</div>`;
  }

  /** Rules for a question, even when no response earns points: readers score nothing that has no rules. */
  private scoring(validation: Validation, compared: Compared, outcome: string, maxScore: number): Scored {
    const scored = scoredBy(this.e, validation, compared, outcome, maxScore);
    return scored.rules === '' ? { ...scored, rules: this.e.set(outcome, this.e.number(0)) } : scored;
  }

  /** Writes a question that QTI cannot hold as a text that a person scores. */
  private substitute(type: string, data: JsonObject, context: QuestionContext): Written {
    const texts = [data.template, data.content].map((text) => context.html(text).replaceAll('{{response}}', '_____'));
    const image = context.picture(data.image ?? data.img_src);
    const picture = image ? `<p>${this.v.picture(image.source, image.alt, image.size)}</p>` : '';
    const written = extendedText({}, context, type !== 'audio' && type !== 'video');
    return { ...written, body: `${texts.join('')}${picture}${written.body}` };
  }

  private noteMembers(type: string, data: JsonObject, members: readonly string[]): void {
    const { metadata } = data;
    const hasFeedback = isObject(metadata) && Object.keys(metadata).some((name) => name.includes('rationale'));
    if (hasFeedback) this.around.note('feedback-kept-aside', `${type}, rationale`);
    const others = Object.keys(data).filter(
      (name) => ![...COMMON, ...members].includes(name) && !(name === 'metadata' && hasFeedback),
    );
    if (others.length > 0) this.around.note('member-kept-aside', `${type}, ${others.join(', ')}`);
  }

  private feature({ type, data }: Widget): string {
    const context = this.context('RESPONSE');
    const media = type === 'audioplayer' ? 'audio' : type === 'videoplayer' ? 'video' : undefined;
    const source = textOf(data.src);
    if (type === 'sharedpassage') return `<div>${context.html(data.content)}</div>`;
    if (media && source !== '')
      return `<div>${context.html(xmlElement(media, { src: source, controls: 'true' }, ''))}</div>`;
    this.around.note('feature-dropped', type);
    return '';
  }

  private context(base: string, right: Json = null): QuestionContext {
    const { v, e, around } = this;
    const note = (code: NoteCode, was: string): void => around.note(code, was);
    return {
      v,
      e,
      note,
      right,
      variable: (place) => (place === undefined ? base : `${base}_${place}`),
      html: (text) => this.address(xhtmlOf(textOf(text), note, v.html5?.prefix)),
      tokens: (html, element) => {
        const { xml, count } = xhtmlWithTokens(html, note, element, v.html5?.prefix);
        return { xml: this.address(xml), count };
      },
      picture: (image) => this.picture(image),
    };
  }

  private picture(image: Json | undefined): { source: string; alt: string; size: Size } | undefined {
    const members = objectOf(image);
    const source = textOf(members.src) || textOf(members.source) || textOf(image);
    if (source === '') return undefined;
    const known = this.around.sizes.get(source);
    const [width, height] = [members.width, members.height].map((value) => Math.round(numberOf(value) ?? 0));
    if (!known && !(width! > 0 && height! > 0))
      this.around.note('layout-approximated', 'the size of a picture is not known');
    const size = known ?? { width: width! > 0 ? width! : 600, height: height! > 0 ? height! : 400 };
    return { source: this.address(source), alt: textOf(members.alt), size };
  }

  /** Addresses of the bank's own files are those in the package. */
  private address(text: string): string {
    return text.replace(ASSET_TOKEN, (_, name: string) => `${this.around.media}${name}`);
  }

  private declarations({ written, template, mapping }: Question): string[] {
    const { v } = this;
    return written.variables.map(({ identifier, cardinality, baseType, correct, accepted }) => {
      const key = correct.map((value) => v.element('value', {}, xmlText(value)));
      const own = template === 'map_response' ? mapping : undefined;
      const map: Mapping | undefined = own ?? (accepted && { defaultValue: 0, ...accepted });
      return v.element(
        'responseDeclaration',
        { identifier, cardinality, baseType },
        key.length > 0 ? v.element('correctResponse', {}, ...key) : '',
        map ? this.mapping(map, baseType) : '',
      );
    });
  }

  private mapping(
    { defaultValue, lowerBound, entries, caseSensitive }: Mapping,
    baseType: Variable['baseType'],
  ): string {
    const { v } = this;
    const bound = lowerBound === undefined ? undefined : points(lowerBound);
    return v.element(
      'mapping',
      { lowerBound: bound, defaultValue: points(defaultValue) },
      ...entries.map(({ key, value }) =>
        v.element('mapEntry', {
          mapKey: key,
          mappedValue: points(value),
          caseSensitive: baseType === 'string' ? (caseSensitive ?? true) : undefined,
        }),
      ),
    );
  }

  private outcomes(): string[] {
    const { questions } = this;
    const max = questions.reduce((sum, { maxScore }) => sum + maxScore, 0);
    const outcome = (identifier: string, value: number, isManual: boolean): string =>
      this.v.element(
        'outcomeDeclaration',
        {
          identifier,
          cardinality: 'single',
          baseType: 'float',
          externalScored: isManual ? 'human' : undefined,
        },
        this.v.element('defaultValue', {}, this.v.element('value', {}, points(value))),
      );
    const parts = questions.length === 1 ? [] : questions;
    return [
      outcome('SCORE', 0, questions.length === 1 && questions[0]!.isManual),
      outcome('MAXSCORE', Math.round(max * 1e10) / 1e10, false),
      ...parts.map(({ outcome: name, isManual }) => outcome(name, 0, isManual)),
      ...questions.flatMap(({ outcomes }) => outcomes).map((name) => outcome(name, 0, false)),
    ];
  }

  private processing(): string {
    const { v, e, questions } = this;
    const [only] = questions;
    if (questions.every(({ rules }) => rules === '')) return '';
    const total = totalOf(e, questions, itemScoringType(this.record.metadata?.scoring_type));
    if (questions.length === 1 && only!.template && (total === '' || only!.template === 'match_correct'))
      return v.element('responseProcessing', { template: v.template(only!.template) });
    return v.element('responseProcessing', {}, ...questions.map(({ rules }) => rules), total);
  }
}
