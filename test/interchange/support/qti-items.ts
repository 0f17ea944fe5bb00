import { type Entry } from '#interchange';
import { type Json, type JsonObject } from '#kernel';
import { compile, scoreItem } from '#scoring';
import { parseXml, type XmlElement } from '../../../libs/interchange/src/formats/xml';

/** Responses in the form of QTI, by the identifier of the response variable. */
export type Responses = Record<string, string | number | boolean | readonly (string | number)[] | null>;

const INTERACTION = /Interaction$|-interaction$/;
const name = ({ name: written }: XmlElement) =>
  written.startsWith('qti-')
    ? written.slice(4).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : written;
const attribute = ({ attributes }: XmlElement, wanted: string) =>
  attributes[wanted] ?? attributes[wanted.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)] ?? '';
const below = (element: XmlElement, wanted: string) => [...element.below()].filter((child) => name(child) === wanted);
const ids = (elements: readonly XmlElement[]) => elements.map((element) => attribute(element, 'identifier'));
const textOf = (element: XmlElement) => element.text.replace(/\s+/g, ' ').trim();

/** The score of the whole item for responses in the form of the source; null when nothing is scored. */
export function itemScore(xml: string, entry: Entry, given: Responses): number | null {
  if (entry.record?.kind !== 'item') throw new Error('No item.');
  const { record } = entry;
  const interactions = [...parseXml(xml, 'item.xml').below()].filter(({ name: written }) => INTERACTION.test(written));
  const questions = record.widgets.filter(({ reference }) => !record.features?.includes(reference));
  const scores = questions.map(({ data }) => {
    const blanks = ((data.template as string | undefined) ?? '').split('{{response}}').length - 1;
    const isInline = data.type === 'clozetext' || data.type === 'clozedropdown';
    const own = interactions.splice(0, isInline ? blanks : 1);
    const values = own.map((interaction) =>
      valueFor(interaction, data, listOf(given[attribute(interaction, 'responseIdentifier')])),
    );
    const scorer = compile(data);
    const { score, attempted } = scorer.score({ value: isInline ? values : values[0]! });
    return { score, maxScore: scorer.maxScore, attempted, automarkable: scorer.automarkable };
  });
  if (record.metadata?.scoring_type === 'dichotomous') return scoreItem('dichotomous', scores).score;
  return scores.some(({ maxScore, automarkable }) => maxScore > 0 && automarkable)
    ? scores.reduce((sum, { score }) => sum + (score ?? 0), 0)
    : null;
}

const listOf = (given: Responses[string] | undefined): string[] =>
  given === null || given === undefined || given === ''
    ? []
    : Array.isArray(given)
      ? given.map(String)
      : [String(given)];

/** The response as the learner's page stores it. It follows the documentation of the types, not the reader. */
function valueFor(interaction: XmlElement, data: JsonObject, given: string[]): Json {
  switch (name(interaction)) {
    case 'choiceInteraction':
      return given;
    case 'hottextInteraction':
      return given.map((id) => ids(below(interaction, 'hottext')).indexOf(id));
    case 'hotspotInteraction':
      return given.map((id) => String(ids(below(interaction, 'hotspotChoice')).indexOf(id)));
    case 'orderInteraction':
      return given.map((id) => ids(below(interaction, 'simpleChoice')).indexOf(id));
    case 'textEntryInteraction':
      return given[0] ?? null;
    case 'inlineChoiceInteraction': {
      const choice = below(interaction, 'inlineChoice').find((each) => attribute(each, 'identifier') === given[0]);
      return choice ? textOf(choice) : null;
    }
    case 'matchInteraction': {
      const [sources, targets] = below(interaction, 'simpleMatchSet').map((set) =>
        below(set, 'simpleAssociableChoice'),
      );
      const chosen = ids(sources!).map((source) =>
        given.flatMap((pair) => (pair.split(' ')[0] === source ? ids(targets!).indexOf(pair.split(' ')[1]!) : [])),
      );
      const responses = data.possible_responses as string[];
      if (data.type === 'association') return chosen.map(([at]) => (at === undefined ? null : responses[at]!));
      return chosen.map((columns) => (columns.length > 0 ? columns : null));
    }
    case 'gapMatchInteraction':
    case 'graphicGapMatchInteraction': {
      const gaps = ids([...below(interaction, 'gap'), ...below(interaction, 'associableHotspot')]);
      const choices = [...below(interaction, 'gapText'), ...below(interaction, 'gapImg')];
      return gaps.map((gap) => {
        const pair = given.map((text) => text.split(' ')).find((both) => both.includes(gap));
        const at = choices.findIndex((choice) => pair?.includes(attribute(choice, 'identifier')));
        return at < 0 ? null : (data.possible_responses as string[])[at]!;
      });
    }
    default:
      return given[0] ?? null;
  }
}
