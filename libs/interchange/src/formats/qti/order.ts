import { type Converter, variableOf } from './choices';
import { allOf, attr, isTrue, numberAttr } from './names';
import { orders } from '../trials';

export const order: Converter = (element, body, declaration) => {
  const choices = allOf(element, 'simpleChoice');
  const ids = choices.map((entry) => attr(entry, 'identifier') ?? '');
  if (choices.some((entry) => isTrue(entry, 'fixed')))
    body.note('shuffle-approximated', element, 'choices with a fixed place');
  if (numberAttr(element, 'minChoices') !== undefined || numberAttr(element, 'maxChoices') !== undefined)
    body.note('choice-limit-dropped', element, 'ordering some of the choices');
  const { orders: all, isAll } = orders(ids, declaration?.correct ?? []);
  return {
    data: {
      type: 'orderlist',
      list: choices.map((entry) => body.inner(entry)),
      ...(isTrue(element, 'shuffle') && { shuffle_options: true }),
    },
    variables: [variableOf(element)],
    isComplete: isAll,
    tries: [...all, []].map((ordered) => ({ given: [ordered], value: ordered.map((id) => ids.indexOf(id)) })),
  };
};
