import { fittingRule } from '../fit';
import { type Built, type QuestionData } from '../questions';
import { type Trial } from '../trials';
import { type XmlElement } from '../xml';
import { type Given } from './conditions';
import { type ItemTexts } from './texts';

/* What all converters read from an item. */

export type Converter = (texts: ItemTexts, points: number) => Built | undefined;

export const presentationOf = ({ item }: ItemTexts): XmlElement | undefined => item.first('presentation');

/** The text of the question: all material that belongs to no response. */
export const stimulusOf = (texts: ItemTexts): string =>
  materialIn(presentationOf(texts))
    .map((material) => texts.html(material))
    .filter((html) => html !== '')
    .join('<br>');

function materialIn(element: XmlElement | undefined): XmlElement[] {
  const children = element?.elements.filter(({ name }) => !name.startsWith('response_')) ?? [];
  return children.flatMap((child) => (child.name === 'material' ? [child] : materialIn(child)));
}

export interface Response {
  ident: string;
  isMultiple: boolean;
  material: XmlElement | undefined;
  labels: { ident: string; element: XmlElement }[];
  shuffle: boolean;
}

const RESPONSES = ['response_lid', 'response_str', 'response_num', 'response_grp'];

export function responsesOf(texts: ItemTexts): Response[] {
  return [...(presentationOf(texts)?.below() ?? [])]
    .filter(({ name }) => RESPONSES.includes(name))
    .map((element) => {
      const below = [...element.below()];
      return {
        ident: element.attributes.ident ?? '',
        isMultiple: element.attributes.rcardinality?.toLowerCase() === 'multiple',
        material: element.first('material'),
        labels: below
          .filter(({ name }) => name === 'response_label')
          .map((label) => ({ ident: label.attributes.ident ?? '', element: label })),
        shuffle: below.some(({ name, attributes }) => name === 'render_choice' && attributes.shuffle === 'Yes'),
      };
    });
}

export function feedbackFor(texts: ItemTexts, ident: string): string {
  texts.usedFeedback.add(ident);
  return texts.html(texts.item.all('itemfeedback').find(({ attributes }) => attributes.ident === ident));
}

export const given = (entries: readonly (readonly [string, readonly string[]])[]): Given => new Map(entries);

/** The note of a question for which no scoring rule of this service gives the same points. */
export const LOST: Built['notes'] = [['scoring-lost', 'no rule here gives the same points']];
export const withRule = (data: QuestionData, trials: readonly Trial[], isAll: boolean): Built => {
  const rule = fittingRule(data, trials, isAll);
  return rule ? { data: { ...data, ...rule }, notes: [] } : { data, notes: LOST };
};

/** The values that the conditions of the item require of a response. */
export const keyOf = (item: XmlElement, ident: string): string[] =>
  [...(item.first('resprocessing')?.below() ?? [])]
    .filter(
      ({ name, attributes, parent }) => name === 'varequal' && attributes.respident === ident && parent?.name !== 'not',
    )
    .map(({ text }) => text.trim());
