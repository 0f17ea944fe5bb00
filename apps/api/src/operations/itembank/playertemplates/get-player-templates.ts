import { Type, type Static } from '@sinclair/typebox';

import { Templates } from '#content';
import { type Scope } from '#kernel';
import { bank } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';

const GetPlayerTemplatesInput = Type.Object({ ...bank });

@operation({
  path: 'itembank/playertemplates',
  action: 'get',
  summary: 'Reads all player templates, sorted by reference.',
  example: {},
  input: GetPlayerTemplatesInput,
  output: Type.Array(Type.Ref('PlayerTemplate')),
})
export class GetPlayerTemplates implements Operation<typeof GetPlayerTemplatesInput> {
  constructor(private readonly templates: Templates) {}

  async execute(_input: Static<typeof GetPlayerTemplatesInput>, { shelf }: Scope) {
    const templates = await this.templates.playerTemplates(shelf.organisation);
    return page(
      templates.map(
        ({ name, reference, json }) =>
          `{"name":${JSON.stringify(name)},"reference":${JSON.stringify(reference)},"json":${json}}`,
      ),
    );
  }
}
