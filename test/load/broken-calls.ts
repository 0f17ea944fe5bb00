import { formatTimestamp } from '#access';
import { Client } from '../support/client';
import { DAY, MINUTE } from '../support/time';
import { FORM, formCall, type HttpCall } from './http-call';

/** The consumers that sign the calls. */
export interface Signers {
  client: Client;
  /** A consumer that may only read the organisation of the client. */
  reader: Client;
}

/** A way of calling that the service refuses, whatever the request says. */
interface Breakage {
  name: string;
  /** Whether the service refuses only writes. */
  onlyWrites?: true;
  /** @param path of the operation, as declared. */
  make(signers: Signers, path: string, action: string, text: string): HttpCall;
}

type Fields = Record<string, string>;
const post = (path: string, fields: Fields) => formCall(`/v1/${path}`, fields);
const withFields =
  (change: (fields: Fields, client: Client, text: string, action: string) => Fields): Breakage['make'] =>
  ({ client }, path, action, text) =>
    post(path, change(client.fields(text, action), client, text, action));
const body = (type: string, of: (fields: Fields) => string): Breakage['make'] => {
  return ({ client }, path, action, text) => ({
    method: 'POST',
    path: `/v1/${path}`,
    headers: { 'Content-Type': type },
    body: of(client.fields(text, action)),
  });
};
/** Signs by a clock that is wrong by `difference` milliseconds. */
const clock = (difference: number): Breakage['make'] =>
  withFields((_, client, text, action) =>
    client.fields(text, action, { timestamp: formatTimestamp(Date.now() + difference) }),
  );

export const BREAKAGES: readonly Breakage[] = [
  { name: 'text that was not signed', make: withFields((fields) => ({ ...fields, request: `${fields.request} ` })) },
  { name: 'action that was not signed', make: withFields((fields) => ({ ...fields, action: `${fields.action}s` })) },
  { name: 'no security', make: withFields(({ request, action }) => ({ request: request!, action: action! })) },
  { name: 'security that is not JSON', make: withFields((fields) => ({ ...fields, security: '{' })) },
  { name: 'security that is a list', make: withFields((fields) => ({ ...fields, security: '[[]]' })) },
  {
    name: 'wrong secret',
    make: ({ client }, path, action, text) => {
      const other = new Client(client.baseUrl, client.key, 'x'.repeat(40), { now: () => Date.now() });
      return post(path, other.fields(text, action));
    },
  },
  {
    name: 'unknown consumer',
    make: ({ client }, path, action, text) => post(path, client.fields(text, action, { consumerKey: 'nobody' })),
  },
  {
    name: 'old timestamp',
    make: ({ client }, path, action, text) => post(path, client.fields(text, action, { timestamp: '20010101-0101' })),
  },
  { name: 'clock 17 minutes ahead', make: clock(17 * MINUTE) },
  { name: 'clock a day ahead', make: clock(DAY) },
  { name: 'clock 8 days behind', make: clock(-8 * DAY) },
  {
    name: 'foreign domain',
    make: ({ client }, path, action, text) => post(path, client.fields(text, action, { domain: 'elsewhere.example' })),
  },
  {
    name: 'no right to write',
    onlyWrites: true,
    make: ({ reader }, path, action, text) => post(path, reader.fields(text, action)),
  },
  {
    name: 'field twice',
    make: body(FORM, (fields) => `${new URLSearchParams(fields).toString()}&request=%7B%7D`),
  },
  { name: 'form that is not encoded', make: body(FORM, () => 'request=%zz&%') },
  { name: 'other type of body', make: body('text/plain', (fields) => JSON.stringify(fields)) },
  { name: 'JSON that is cut', make: body('application/json', (fields) => JSON.stringify(fields).slice(0, -1)) },
  {
    name: 'request as an object',
    make: body('application/json', (fields) => JSON.stringify({ ...fields, request: {} })),
  },
  {
    name: 'multipart that is cut',
    make: body(
      'multipart/form-data; boundary=x',
      ({ request }) => `--x\r\nContent-Disposition: form-data; name="request"\r\n\r\n${request}`,
    ),
  },
  { name: 'multipart without a boundary', make: body('multipart/form-data', ({ request }) => request!) },
  { name: 'GET', make: (_, path) => ({ method: 'GET', path: `/v1/${path}`, headers: {} }) },
  { name: 'DELETE', make: (_, path) => ({ method: 'DELETE', path: `/v1/${path}`, headers: {} }) },
  {
    name: 'unknown path',
    make: ({ client }, path, action, text) => post(`${path}/elsewhere`, client.fields(text, action)),
  },
  { name: 'unknown action', make: ({ client }, path, _, text) => post(path, client.fields(text, 'undo')) },
];
