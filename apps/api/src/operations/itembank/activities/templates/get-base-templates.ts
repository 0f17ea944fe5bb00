import { Type, type Static } from '@sinclair/typebox';

import { Templates } from '#content';
import { type Scope } from '#kernel';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { page } from '../../../../declaration/results';

const GetBaseTemplatesInput = Type.Object({ ...bank });

@operation({
  path: 'itembank/activities/templates',
  action: 'get',
  summary: 'Reads all base templates of activities, sorted by reference. Use `itembank/playertemplates` instead.',
  example: {},
  input: GetBaseTemplatesInput,
  output: Type.Array(Type.Ref('BaseTemplate')),
  deprecated: true,
})
export class GetBaseTemplates implements Operation<typeof GetBaseTemplatesInput> {
  constructor(private readonly templates: Templates) {}

  async execute(_input: Static<typeof GetBaseTemplatesInput>, { shelf }: Scope) {
    const templates = await this.templates.baseTemplates(shelf.organisation);
    return page(
      templates.map(({ data, ...rest }) => {
        const [reference, description, status] = [rest.reference, rest.description, rest.status].map((text) =>
          JSON.stringify(text),
        );
        return `{"reference":${reference},"data":${data},"description":${description},"status":${status}}`;
      }),
    );
  }
}
