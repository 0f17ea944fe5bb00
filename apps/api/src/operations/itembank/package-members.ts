import { Type } from '@sinclair/typebox';
import { integer, nullable, optional, text } from '../../declaration/fields';

/* Members that imports and exports share. */

export const fileMembers = {
  address: text('Address from which the file is read with GET.'),
  expires_at: text('When the address expires. Each read gives a new one.'),
  content_type: text('Media type.'),
  bytes: integer('Size.'),
  sha256: text('SHA-256 in hexadecimal.'),
};

export const error = (description: string) =>
  nullable(
    Type.Object(
      {
        code: text('What is wrong: `package-path-unsafe`, `format-unknown`, `conflict` …'),
        message: text('What is wrong, for people.'),
        at: optional(text('The place in the file, where there is one.')),
      },
      { description },
    ),
  );
