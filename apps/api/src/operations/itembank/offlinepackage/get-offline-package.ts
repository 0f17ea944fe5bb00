import { Type, type Static } from '@sinclair/typebox';

import { OfflinePackages } from '#content';
import { Fault, nameOfCharacter, place, type Scope } from '#kernel';
import { integer, optional, read, references, text, wrongType } from '../../../declaration/fields';
import { bank } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { StartedJob } from '../../jobs/started-job';

const DEFAULT_DIRECTORY = '/vendor/itembank';
const DIRECTORY_LENGTH = 255;
/** Characters that cannot end an attribute, a style or a JSON text around them. */
const DIRECTORY = /^[A-Za-z0-9._~@+/-]*$/;

const baseDirectory = read<string>(
  (value, at) => {
    if (typeof value !== 'string') throw wrongType(at, 'text');
    if (value.length === 0 || value.length > DIRECTORY_LENGTH)
      throw new Fault(
        'length',
        `${place(at)} must have 1 to ${DIRECTORY_LENGTH} characters; it has ${value.length}.`,
        at,
      );
    const wrong = whatIsWrong(value);
    if (wrong) throw new Fault('value', `${place(at)} ${wrong}; right is a path such as ${DEFAULT_DIRECTORY}.`, at);
    return value;
  },
  {
    type: 'string',
    minLength: 1,
    maxLength: DIRECTORY_LENGTH,
    pattern: '^[A-Za-z0-9._~@+/-]{1,255}$',
    default: DEFAULT_DIRECTORY,
    description: 'Path of the unpacked package; addresses of assets are rewritten to begin with it.',
  },
);

function whatIsWrong(path: string): string | undefined {
  if (!DIRECTORY.test(path)) {
    const index = [...path].findIndex((character) => !DIRECTORY.test(character));
    return `holds ${nameOfCharacter([...path][index]!)} (character ${index + 1})`;
  }
  if (path.includes('//')) return 'holds two slashes in a row';
  const relative = path.split('/').find((element) => element === '.' || element === '..');
  return relative && `has the path element ${relative}`;
}

const GetOfflinePackageInput = Type.Object({
  ...bank,
  activity_references: optional(references('Activities to pack, with all of their items.')),
  items: optional(
    Type.Array(
      Type.Object(
        {
          reference: text({ min: 1, description: 'Reference of the item.' }),
          organisation_id: optional(
            integer({
              minimum: 1,
              maximum: 2147483647,
              description:
                'Organisation of the item, which the consumer must be able to read; default: that of the package.',
            }),
          ),
        },
        { additionalProperties: true },
      ),
      { maxItems: 1000, description: 'Items to pack, in the format of activities; `id` is ignored.' },
    ),
  ),
  item_references: optional(references('Items to pack, by their references alone. Deprecated: use `items`.')),
  base_directory: optional(baseDirectory),
});

@operation({
  path: 'itembank/offlinepackage',
  action: 'get',
  right: 'primary-or-write',
  feature: 'offlinepackage',
  summary: 'Starts a job that packs activities and items for offline use.',
  example: { activity_references: ['demo-science'] },
  input: GetOfflinePackageInput,
  output: Type.Array(StartedJob),
})
export class GetOfflinePackage implements Operation<typeof GetOfflinePackageInput> {
  constructor(private readonly packages: OfflinePackages) {}

  async execute(input: Static<typeof GetOfflinePackageInput>, scope: Scope) {
    const job = await this.packages.start(
      {
        activities: input.activity_references ?? [],
        items: [
          ...(input.items ?? []).map(({ reference, organisation_id: organisation }, index) => ({
            reference,
            organisation,
            at: `/items/${index}/reference`,
          })),
          ...(input.item_references ?? []).map((reference, index) => ({ reference, at: `/item_references/${index}` })),
        ],
        baseDirectory: input.base_directory ?? DEFAULT_DIRECTORY,
      },
      scope,
    );
    const view: Static<typeof StartedJob> = { job_reference: job };
    return { data: JSON.stringify([view]) };
  }
}
