import { Type } from '@sinclair/typebox';
import { type JsonText } from '#kernel';
import { type StoredRecord, type WidgetKind } from '#content';
import { jsonObject, nullable, optional, text } from '../../declaration/fields';
import { dateTime, namesOf, resource, revision, type Texts } from '../../declaration/outputs';
import { members, membersOf, objectOf, recordExtras } from '../record-view';

/* Questions and features, which are two kinds of widgets. */

/** Members of the stored body, which is passed on as text. */
const body = {
  type: text('Type code.'),
  data: jsonObject('Definition; its members depend on the type.'),
  metadata: optional(
    nullable(
      Type.Object(
        {
          name: optional(nullable(text('Name, for authors.'))),
          template_reference: optional(nullable(text('Template it was made from.'))),
        },
        { additionalProperties: true, description: 'Further facts.' },
      ),
    ),
  ),
};

const extras = {
  dt_created: dateTime('dt_created', 'of creation'),
  dt_updated: dateTime('dt_updated', 'of the last change'),
  revision,
};
export const WIDGET_EXTRAS = namesOf(extras);

const widget = (name: string, kind: WidgetKind, description: string, widgetType: 'response' | 'feature') =>
  resource(name, description, {
    reference: text(`Name of the ${kind}; questions and features of an item bank share one namespace.`),
    widget_type: Type.Literal(widgetType, { description: 'Whether this is a question or a feature.' }),
    ...body,
    ...extras,
  });

export const Question = widget('Question', 'question', 'Something to answer.', 'response');

export const Feature = widget(
  'Feature',
  'feature',
  'An element beside questions: a passage, a calculator, a recording.',
  'feature',
);

export function widgetView(record: StoredRecord, kind: WidgetKind, include: ReadonlySet<string>): JsonText {
  const {
    reference,
    widget_type,
    ...further
  }: Omit<Texts<typeof Question>, keyof typeof body> = {
    reference: JSON.stringify(record.reference),
    widget_type: kind === 'question' ? '"response"' : '"feature"',
    ...recordExtras(record, include),
  };
  return objectOf(members({ reference, widget_type }), membersOf(record.body), members(further));
}
