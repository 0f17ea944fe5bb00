import { type Json, type JsonObject } from '#kernel';
import { outcomeDeclarations, responseDeclarations } from '../../../libs/interchange/src/formats/qti/declarations';
import { Processing, rulesOf } from '../../../libs/interchange/src/formats/qti/processing';
import { type XmlElement } from '../../../libs/interchange/src/formats/xml';
import { type Made } from './made-questions';
import { type Responses } from './qti-items';

/* The response variables that a QTI player would report. This finds them by positions in the XML, and not by the names that the writer chose. */

const name = ({ name: written }: XmlElement) =>
  written.startsWith('qti-')
    ? written.slice(4).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : written;
const attribute = ({ attributes }: XmlElement, wanted: string) =>
  attributes[wanted] ?? attributes[wanted.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)] ?? '';
const below = (element: XmlElement, ...wanted: string[]) =>
  [...element.below()].filter((child) => wanted.includes(name(child)));
const ids = (elements: readonly XmlElement[]) => elements.map((element) => attribute(element, 'identifier'));
const listOf = (value: Json | undefined): Json[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];

const interactionsIn = (item: XmlElement): XmlElement[] =>
  [...item.below()].filter((element) => name(element).endsWith('Interaction'));

/** The responses of a player to all questions of an item. */
export function reportedBy(item: XmlElement, questions: readonly Made[], values: readonly Json[]): Responses {
  const interactions = interactionsIn(item);
  return Object.assign(
    {},
    ...questions.map(({ data }, at) => responsesFor(data, values[at]!, interactions)),
  ) as Responses;
}

/** The score by the rules of the item itself; null when there are none. */
export function scoreByRules(item: XmlElement, given: Responses): number | null {
  const rules = rulesOf(item);
  if (!rules) return null;
  const texts = Object.entries(given).map(([identifier, value]): [string, string[]] => [
    identifier,
    value === null ? [] : Array.isArray(value) ? value.map(String) : [String(value as string)],
  ]);
  return new Processing(rules, responseDeclarations(item), outcomeDeclarations(item)).score(new Map(texts));
}

/** Takes the interactions of a question from the list, and returns the variables that they report. */
function responsesFor(data: JsonObject, value: Json, interactions: XmlElement[]): Responses {
  const first = interactions[0]!;
  const isInline = ['textEntryInteraction', 'inlineChoiceInteraction'].includes(name(first));
  const blanks = !isInline
    ? 1
    : typeof data.template === 'string'
      ? data.template.split('{{response}}').length - 1
      : data.response_positions
        ? listOf(data.response_positions).length
        : 1;
  const own = interactions.splice(0, blanks);
  return Object.fromEntries(
    own.map((interaction, at) => [
      attribute(interaction, 'responseIdentifier'),
      reported(interaction, data, isInline ? (listOf(value)[at] ?? null) : value),
    ]),
  );
}

function reported(interaction: XmlElement, data: JsonObject, value: Json): Responses[string] {
  const chosen = listOf(value);
  switch (name(interaction)) {
    case 'choiceInteraction': {
      const values = listOf(data.options).map((option) => (option as JsonObject).value!);
      return chosen.map((each) => ids(below(interaction, 'simpleChoice'))[(values as Json[]).indexOf(each)]!);
    }
    case 'hotspotInteraction':
      return chosen.map((each) => ids(below(interaction, 'hotspotChoice'))[Number(each)]!);
    case 'hottextInteraction':
      return chosen.map((each) => ids(below(interaction, 'hottext'))[Number(each)]!);
    case 'orderInteraction':
      return chosen.map((each) => ids(below(interaction, 'simpleChoice'))[Number(each)]!);
    case 'matchInteraction': {
      const [sources, targets] = below(interaction, 'simpleMatchSet').map((set) =>
        ids(below(set, 'simpleAssociableChoice')),
      );
      if (data.type === 'classification')
        return chosen.flatMap((cell, at) => listOf(cell).map((each) => `${sources![Number(each)]!} ${targets![at]!}`));
      return chosen.flatMap((row, at) =>
        listOf(row).map((each) => {
          const target = data.type === 'association' ? listOf(data.possible_responses).indexOf(each) : Number(each);
          return `${sources![at]!} ${targets![target]!}`;
        }),
      );
    }
    case 'gapMatchInteraction':
    case 'graphicGapMatchInteraction': {
      const places = ids(below(interaction, 'gap', 'associableHotspot'));
      const choices = ids(below(interaction, 'gapText', 'gapImg'));
      return chosen.flatMap((each, at) =>
        each === null ? [] : [`${choices[listOf(data.possible_responses).indexOf(each)]!} ${places[at]!}`],
      );
    }
    case 'inlineChoiceInteraction':
      return (
        below(interaction, 'inlineChoice')
          .filter((choice) => choice.text === value)
          .map((choice) => attribute(choice, 'identifier'))[0] ?? null
      );
    default:
      return (value as string | null) ?? null;
  }
}
