import { xmlText } from '../../xml-writing';
import { type Json } from '#kernel';
import { countBlanks, PICTURE, withBlanks } from './blanks';
import { type Compared, comparedPlaces, keyOf, type Place, type PlacedAnswer } from './compared';
import { placedAnswers, rightKeys } from './placing';
import { isTrue, type KnownType, listOf, type QuestionWriter, range, type Variable } from './question';

/** Menus in a text, each with its own choices. */
const menus: QuestionWriter = (data, validation, context) => {
  const { e, v } = context;
  const lists = listOf(data.possible_responses).map((menu) => listOf(menu).map((entry: Json) => keyOf(entry)));
  const count = countBlanks(data);
  const name = (at: number): string => context.variable(count > 1 ? at + 1 : undefined);
  const id = (menu: number, entry: number): string => `MENU_${menu + 1}_${entry + 1}`;
  const written = withBlanks(data, context, (at) =>
    v.element(
      'inlineChoiceInteraction',
      { responseIdentifier: name(at), shuffle: isTrue(data.shuffle_options) },
      ...(lists[at] ?? []).map((text, entry) =>
        v.element('inlineChoice', { identifier: id(at, entry) }, xmlText(text ?? '')),
      ),
    ),
  );
  const answers = placedAnswers(validation);
  if (!written || written.count === 0 || written.count !== count || !answers || lists.length < count) return undefined;
  if (lists.slice(0, count).some((menu) => menu.length === 0) || answers.some(({ places }) => places.length > count))
    return undefined;
  const idsOf = (at: number, key: string): string[] =>
    lists[at]!.flatMap((text, entry) => (text === key ? id(at, entry) : []));
  const places = range(count).map((at): Place => ({
    holds: (key) => {
      const ids = idsOf(at, key);
      if (ids.length === 0) return undefined;
      return e.or(ids.map((each) => e.match(e.variable(name(at)), e.base('identifier', each))));
    },
    isFilled: e.not(e.isNull(e.variable(name(at)))),
  }));
  const compared = comparedPlaces(e, places, answers, { isPool: validation.matchAllPossibleResponses });
  const right = rightKeys(context.right);
  return {
    body: written.xml,
    variables: range(count).map((at): Variable => ({
      identifier: name(at),
      cardinality: 'single',
      baseType: 'identifier',
      correct: idsOf(at, right[at] ?? '').slice(0, 1),
    })),
    compared: count === 1 ? withMenuVariable(compared, name(0), answers, (key) => idsOf(0, key)) : compared,
  };
};

/** A single menu has one variable, which standard templates can score. */
function withMenuVariable(
  compared: Compared,
  identifier: string,
  answers: readonly PlacedAnswer[],
  idsOf: (key: string) => string[],
): Compared {
  const ids = answers.map(({ places: [only] }) => (typeof only === 'string' ? idsOf(only) : []));
  if (!ids.every((each) => each.length === 1)) return compared;
  return {
    ...compared,
    variable: { identifier, isSingle: true, isText: false, caseSensitive: true },
    answers: compared.answers.map((answer, at) => ({ ...answer, value: ids[at]! })),
  };
}

const MEMBERS = ['possible_responses', 'shuffle_options', 'response_container', 'response_containers'];

export const MENU_TYPES: Readonly<Record<string, KnownType>> = {
  clozedropdown: { write: menus, members: [...MEMBERS, 'template'] },
  imageclozedropdown: { write: menus, members: [...MEMBERS, ...PICTURE] },
};
