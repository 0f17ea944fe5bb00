import { type Static, Type } from '@sinclair/typebox';
import { type FoundItem } from '#content';
import { nullable, number, text, words } from '../../../declaration/fields';
import { resource, status } from '../../../declaration/outputs';

export const SearchHit = resource('SearchHit', 'An item that a search found.', {
  reference: text('Name of the item.'),
  title: nullable(text('Title, for authors.')),
  status: status('Status of the item.'),
  question_types: Type.Array(Type.String(), {
    description: 'Type codes of its questions, each once, in their order.',
  }),
  score: number('How well the item matches. Compare it only with hits of the same search.'),
  highlights: Type.Array(
    Type.Object({
      kind: words(['item', 'question', 'feature'], { description: 'Whose text it is.' }),
      reference: text('Reference of the item, question or feature.'),
      parts: Type.Array(
        Type.Object({
          text: text('Plain text. Escape it before you put it into HTML.'),
          match: Type.Boolean({ description: 'Whether this part matches the search.' }),
        }),
        { description: 'A piece of the text, in parts that follow each other.' },
      ),
    }),
    { maxItems: 3, description: 'Where the words were found. Empty when only the reference holds them.' },
  ),
});

export function hitView({ reference, status, body, score, highlights }: FoundItem): Static<typeof SearchHit> {
  const { title, questions } = JSON.parse(body) as { title: string | null; questions: { type: string }[] };
  const question_types = [...new Set(questions.map(({ type }) => type))];
  return { reference, title, status, question_types, score, highlights };
}
