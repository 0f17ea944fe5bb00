import { Type, type Static } from '@sinclair/typebox';

import { type PlayerTemplate as StoredTemplate, Templates } from '#content';
import { type JsonText, type Scope } from '#kernel';
import { jsonObject, optional, text } from '../../../declaration/fields';
import { bank } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { resource, type Texts } from '../../../declaration/outputs';
import { page } from '../../../declaration/results';
import { members, objectOf } from '../../record-view';

const GetPlayerTemplatesInput = Type.Object({ ...bank });

const PlayerTemplate = resource('PlayerTemplate', 'How a player shows an activity.', {
  name: text('Name, for authors.'),
  reference: text('Name of the template, unique in its organisation.'),
  json: Type.Object(
    {
      regions: optional(jsonObject('Elements by region.')),
      labelBundle: optional(jsonObject('Labels in place of the usual ones.')),
      custom_data: optional(jsonObject('Further data for the player.')),
    },
    {
      additionalProperties: true,
      description: 'The template. Members that are not listed here are returned unchanged.',
    },
  ),
});

@operation({
  path: 'itembank/playertemplates',
  action: 'get',
  summary: 'Reads all player templates, sorted by reference.',
  example: {},
  input: GetPlayerTemplatesInput,
  output: Type.Array(PlayerTemplate),
})
export class GetPlayerTemplates implements Operation<typeof GetPlayerTemplatesInput> {
  constructor(private readonly templates: Templates) {}

  async execute(_input: Static<typeof GetPlayerTemplatesInput>, { shelf }: Scope) {
    const templates = await this.templates.playerTemplates(shelf.organisation);
    return page(templates.map(templateView));
  }
}

function templateView({ name, reference, json }: StoredTemplate): JsonText {
  const view: Texts<typeof PlayerTemplate> = {
    name: JSON.stringify(name),
    reference: JSON.stringify(reference),
    json,
  };
  return objectOf(members(view));
}
