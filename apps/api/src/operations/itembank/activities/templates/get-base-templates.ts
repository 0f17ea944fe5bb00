import { Type, type Static } from '@sinclair/typebox';

import { type BaseTemplate as StoredTemplate, TEMPLATE_STATUSES, Templates } from '#content';
import { type JsonText, type Scope } from '#kernel';
import { jsonObject, optional, text, words } from '../../../../declaration/fields';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource, type Texts } from '../../../../declaration/outputs';
import { page } from '../../../../declaration/results';
import { members, objectOf } from '../../../record-view';

const GetBaseTemplatesInput = Type.Object({ ...bank });

const BaseTemplate = resource(
  'BaseTemplate',
  'Initial settings of activities; replaced by player templates.',
  {
    reference: text('Name of the template, unique in its organisation.'),
    data: Type.Object(
      {
        config: optional(jsonObject('Settings of the player: `ui_style`, `navigation`, `title`, `subtitle`.')),
      },
      {
        additionalProperties: true,
        description: 'The template. Members that are not listed here are returned unchanged.',
      },
    ),
    description: text('Description, for authors.'),
    status: words(TEMPLATE_STATUSES, { description: 'Whether it is still in use.' }),
  },
  { deprecated: true },
);

@operation({
  path: 'itembank/activities/templates',
  action: 'get',
  summary: 'Reads all base templates of activities, sorted by reference. Use `itembank/playertemplates` instead.',
  example: {},
  input: GetBaseTemplatesInput,
  output: Type.Array(BaseTemplate),
  deprecated: true,
})
export class GetBaseTemplates implements Operation<typeof GetBaseTemplatesInput> {
  constructor(private readonly templates: Templates) {}

  async execute(_input: Static<typeof GetBaseTemplatesInput>, { shelf }: Scope) {
    const templates = await this.templates.baseTemplates(shelf.organisation);
    return page(templates.map(templateView));
  }
}

function templateView({ reference, data, description, status }: StoredTemplate): JsonText {
  const view: Texts<typeof BaseTemplate> = {
    reference: JSON.stringify(reference),
    data,
    description: JSON.stringify(description),
    status: JSON.stringify(status),
  };
  return objectOf(members(view));
}
