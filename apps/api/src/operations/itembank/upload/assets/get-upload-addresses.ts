import { Type, type Static } from '@sinclair/typebox';

import { Assets, checkMediaType, checkSubkey, MEDIA_TYPE_LENGTH, SUBKEY_LENGTH } from '#content';
import { pointerPart, type Scope } from '#kernel';
import { optional, read, reference, text, wrongType } from '../../../../declaration/fields';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource } from '../../../../declaration/outputs';

const subkey = read<string>(
  (value, at) => {
    if (typeof value !== 'string') throw wrongType(at, 'text');
    checkSubkey(value, at);
    return value;
  },
  { type: 'string', minLength: 1, maxLength: SUBKEY_LENGTH, description: 'A path such as `images/map.png`.' },
);

const subkeyTypes = read<ReadonlyMap<string, string>>(
  (value, at) => {
    const isObject = typeof value === 'object' && value !== null && (!Array.isArray(value) || value.length === 0);
    if (!isObject) throw wrongType(at, 'an object with media types by subkey');
    const given = Object.entries(value).filter(([, type]) => type !== null);
    return new Map(
      given.map(([key, type]: [string, unknown]) => {
        const typeAt = `${at}/${pointerPart(key)}`;
        if (typeof type !== 'string') throw wrongType(typeAt, 'text');
        checkMediaType(type, typeAt);
        return [key, type];
      }),
    );
  },
  {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: MEDIA_TYPE_LENGTH },
    description: 'Media types by subkey; default: the type for the extension of the subkey.',
  },
);

const GetUploadAddressesInput = Type.Object({
  ...bank,
  subkeys: Type.Array(subkey, {
    maxItems: 50,
    description:
      'Names of the assets, each once; the public address ends with the name. Not allowed: a slash at either end, two in a row, a backslash, and the path elements `.` and `..`. At most 900 bytes of UTF-8.',
  }),
  subkey_types: optional(subkeyTypes),
  items: optional(
    Type.Array(
      Type.Object(
        { reference: optional(reference('Item that uses the assets; it need not exist yet.')) },
        { additionalProperties: true },
      ),
      {
        maxItems: 50,
        description: 'Items that use the assets. The service records these items, and does nothing else with them.',
      },
    ),
  ),
});

const AssetUpload = resource('AssetUpload', 'The addresses of an asset for upload and for reading.', {
  upload: text(
    'Address for an HTTP `PUT` of the file, valid for 60 minutes, without credentials. The header `Content-Type` must equal `content_type`.',
  ),
  public: text('Address without its scheme, `//host/path`, at which anyone can read the asset after its upload.'),
  content_type: text('Media type of the asset.'),
});

@operation({
  path: 'itembank/upload/assets',
  action: 'get',
  right: 'write',
  summary: 'Issues signed addresses to which asset files can be uploaded within an hour.',
  example: { subkeys: ['map.png'] },
  input: GetUploadAddressesInput,
  output: Type.Array(AssetUpload),
})
export class GetUploadAddresses implements Operation<typeof GetUploadAddressesInput> {
  constructor(private readonly assets: Assets) {}

  async execute({ subkeys, subkey_types, items }: Static<typeof GetUploadAddressesInput>, scope: Scope) {
    const uploads = await this.assets.uploadAddresses(
      {
        subkeys,
        types: subkey_types ?? new Map(),
        items: items?.flatMap(({ reference }) => (reference === undefined ? [] : [reference])) ?? [],
      },
      scope,
    );
    return {
      data: JSON.stringify(
        uploads.map(({ upload, public: published, contentType }): Static<typeof AssetUpload> => ({
          upload,
          public: published,
          content_type: contentType,
        })),
      ),
    };
  }
}
