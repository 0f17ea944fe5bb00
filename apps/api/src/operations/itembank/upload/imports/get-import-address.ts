import { Type, type Static } from '@sinclair/typebox';

import { Imports } from '#interchange';
import { type Scope } from '#kernel';
import { text } from '../../../../declaration/fields';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource } from '../../../../declaration/outputs';

const GetImportAddressInput = Type.Object({
  ...bank,
  name: text({
    min: 1,
    max: 100,
    description: 'Name of the file, with its extension; reports and the history show it.',
  }),
});

const ImportUpload = resource('ImportUpload', 'The address to which a file to import is uploaded.', {
  key: text('Key of the file, with which its import is started.'),
  upload: text('Address for an HTTP `PUT` of the file, valid for 60 minutes.'),
  content_type: text('Value of the header `Content-Type` that the upload must have.'),
});

@operation({
  path: 'itembank/upload/imports',
  action: 'get',
  right: 'write',
  summary:
    'Issues a signed address for the upload of a file to import. It is valid for an hour. Nobody can read the file there.',
  example: { name: 'moodle.xml' },
  input: GetImportAddressInput,
  output: ImportUpload,
})
export class GetImportAddress implements Operation<typeof GetImportAddressInput> {
  constructor(private readonly imports: Imports) {}

  async execute({ name }: Static<typeof GetImportAddressInput>, scope: Scope) {
    const { key, upload, contentType } = await this.imports.uploadAddress(name, scope);
    const view: Static<typeof ImportUpload> = { key, upload, content_type: contentType };
    return { data: JSON.stringify(view) };
  }
}
