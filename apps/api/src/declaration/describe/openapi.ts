import { grouped, type Json, type JsonObject } from '#kernel';
import { type Declaration } from '../operation';
import { allOperations, type DescribedOperation, scopeOf } from './all-operations';
import { components } from './components';
import { envelopeSchemas } from './envelope-schemas';
import { faultCodes } from './fault-codes';
import { introduction } from './introduction';
import { type JsonSchema, plainSchema, refTo } from './json-schema';
import { parametersOf } from './parameters';

/** The OpenAPI 3.1 document of all operations. */
export function openApiDocument(): JsonObject {
  const all = allOperations();
  const paths = grouped(all.map((each) => [each.path, each]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Itembank',
      version: '1',
      summary: 'An item bank, its learner sessions and the jobs on both.',
      description: `${scope(all)}\n\n${introduction}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    // OpenAPI has no security scheme for a signature in a field of the body.
    security: [],
    tags: [...new Set(all.map(areaOf))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...paths].map(([path, operations]) => [`/v1/${path}`, { post: post(path, operations) }]),
    ),
    components: {
      schemas: { ...schemasOf(all), ...components(), ...envelopeSchemas },
      responses: errorResponses(),
      headers: HEADERS,
    },
  };
}

const scope = (all: readonly DescribedOperation[]) =>
  `
${scopeOf(all)}

Operations of one path differ by their action. OpenAPI allows one \`POST\` per path, so each path is one entry here. Its body
is one of several calls, which differ by \`action\`. The answer belongs to the call that was sent.
`.trim();

/** The first two parts of the path. */
function areaOf({ path }: DescribedOperation): string {
  return path.split('/').slice(0, 2).join('/');
}

function post(path: string, operations: DescribedOperation[]): JsonObject {
  // Operations of one action differ inside `request`, which is only a text for the schema.
  const selectedByAction = operations.every(({ when }) => when === undefined);
  const each = (suffix: string): Json => operations.map(({ name }) => refTo(`${name}${suffix}`));
  return {
    operationId: path.replace(/\/([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    summary: operations.map(({ declaration }) => declaration.summary).join(' '),
    description: operations
      .map(
        ({ action, when, beyond, declaration }) =>
          `- **${action}**${when ? ` with \`${when}\`` : ''}: ${declaration.summary}${beyond ? ' Beyond the specification.' : ''}`,
      )
      .join('\n'),
    tags: [areaOf(operations[0]!)],
    ...(operations.every(({ declaration }) => declaration.deprecated) ? { deprecated: true } : {}),
    requestBody: {
      required: true,
      description: 'The action chooses the operation.',
      content: {
        'application/x-www-form-urlencoded': { schema: { [selectedByAction ? 'oneOf' : 'anyOf']: each('Call') } },
      },
    },
    responses: {
      '200': {
        description: 'The answer of the action that was called.',
        headers: Object.fromEntries(
          Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
        content: { 'application/json': { schema: { anyOf: each('Answer') } } },
      },
      ...Object.fromEntries(
        [...grouped(faultCodes().map((each) => [each.status, each])).keys()].map((status) => [
          String(status),
          { $ref: `#/components/responses/Status${status}` },
        ]),
      ),
    },
  };
}

/** Three schemas per operation: its parameters, the fields of the call, the answer. */
function schemasOf(operations: DescribedOperation[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    operations.flatMap(({ path, action, when, name, declaration }) => {
      const title = `${action} ${path}${when ? ` with ${when}` : ''}`;
      const parameters = parametersOf(declaration);
      return [
        [`${name}Parameters`, { title: `${title}: parameters`, ...parameters, examples: [declaration.example] }],
        [`${name}Call`, { title, ...call(declaration, name, parameters) }],
        [`${name}Answer`, { title: `${title}: answer`, ...answer(plainSchema(declaration.output)) }],
      ];
    }),
  );
}

function call({ summary, action, example }: Declaration, name: string, parameters: JsonSchema): JsonSchema {
  const mandatory = parameters.required !== undefined;
  return {
    type: 'object',
    description: summary,
    required: ['action', 'security', ...(mandatory ? ['request'] : [])],
    properties: {
      action: { type: 'string', const: action },
      request: {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: refTo(`${name}Parameters`),
        description: 'JSON text of the parameters, exactly as it was signed.',
        examples: [JSON.stringify(example)],
      },
      security: {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: refTo('Security'),
        description: 'JSON text with the key of the caller, the signature, and the other members that are signed.',
      },
    },
  };
}

function answer(data: JsonSchema): JsonSchema {
  return { type: 'object', required: ['meta', 'data'], properties: { meta: refTo('Meta'), data } };
}

const HEADERS = {
  'X-Request-Id': { description: 'Id of the request in the log of the service.', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Calls allowed in any 5 seconds.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Number of these calls that are left.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until one more call is allowed.', schema: { type: 'integer' } },
};

function errorResponses(): JsonObject {
  return Object.fromEntries(
    [...grouped(faultCodes().map((each) => [each.status, each]))].map(([status, codes]) => [
      `Status${status}`,
      {
        description: codes.map(({ code, meaning }) => `- \`${code}\` ${meaning}`).join('\n'),
        ...(status === 429
          ? { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } }
          : {}),
        content: { 'application/json': { schema: refTo('Error') } },
      },
    ]),
  );
}
