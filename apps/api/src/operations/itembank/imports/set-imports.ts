import { Type, type Static } from '@sinclair/typebox';

import { COLLISION_RULES, FORMATS, Imports } from '#interchange';
import { type Scope } from '#kernel';
import { optional, text, words } from '../../../declaration/fields';
import { bank, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { resource } from '../../../declaration/outputs';

const SetImportsInput = Type.Object({
  ...bank,
  ...meta,
  key: text({ description: 'Key of the uploaded file, from itembank/upload/imports.' }),
  format: optional(
    words(
      FORMATS.map(({ name }) => name),
      { description: 'Format of the file; default: recognised from the content.' },
    ),
  ),
  on_collision: optional(
    words(COLLISION_RULES, {
      default: 'fail',
      description:
        'How to treat an entry whose reference exists with other content. `fail` refuses the entry, `skip` keeps the record of the bank, `replace` replaces that record, `new-reference` adds the entry as REFERENCE-2.',
    }),
  ),
});

const StartedImport = resource('StartedImport', 'An import whose plan is being made.', {
  reference: text('Reference of the import.'),
  job_reference: text('Reference of the job that plans it.'),
});

@operation({
  path: 'itembank/imports',
  action: 'set',
  summary: 'Starts a job that plans the import of an uploaded file. Nothing is stored.',
  example: { key: '01KE0XN8Y4V2M6ZB3T9QWJ7C5R', on_collision: 'skip' },
  input: SetImportsInput,
  output: StartedImport,
})
export class SetImports implements Operation<typeof SetImportsInput> {
  constructor(private readonly imports: Imports) {}

  async execute({ key, format, on_collision: onCollision = 'fail' }: Static<typeof SetImportsInput>, scope: Scope) {
    const reference = await this.imports.start({ key, format, onCollision }, scope);
    const view: Static<typeof StartedImport> = { reference, job_reference: reference };
    return { data: JSON.stringify(view) };
  }
}
