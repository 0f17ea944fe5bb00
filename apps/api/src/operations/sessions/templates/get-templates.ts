import { type Static, Type } from '@sinclair/typebox';

import { Fault, type FaultDetail, place, type Scope, throwAny } from '#kernel';
import { MAX_ITEMS, SessionTemplates } from '#sessions';
import { isObject, optional, read, text, unlessEmpty, wrongType } from '../../../declaration/fields';
import { shelf } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { scoringType, scoringTypeOf } from '../scoring-type-field';
import { subscores } from '../subscores';
import { SessionTemplate } from './session-template';

interface WantedItem {
  reference: string;
  organisation?: number;
}

const ORGANISATION = /^\d{1,9}$/;

/** An item as activities name it: its reference, or an object with it. */
const wantedItem = read<WantedItem>(
  (value, at) => {
    if (typeof value === 'string') return { reference: value };
    const entry = unlessEmpty(value);
    if (!isObject(entry)) throw wrongType(at, 'a reference or an object with one');
    const { reference, organisation_id: sent } = entry;
    if (reference === undefined || reference === null)
      throw new Fault('missing', `${place(at)}.reference is required.`, `${at}/reference`);
    if (typeof reference !== 'string') throw wrongType(`${at}/reference`, 'text');
    if (sent === undefined || sent === null) return { reference };
    const organisation = typeof sent === 'string' && ORGANISATION.test(sent) ? Number(sent) : sent;
    if (typeof organisation !== 'number' || !Number.isInteger(organisation))
      throw wrongType(`${at}/organisation_id`, 'a whole number');
    return { reference, organisation };
  },
  {
    oneOf: [
      { type: 'string', description: 'Reference of an item.' },
      {
        type: 'object',
        required: ['reference'],
        properties: {
          reference: { type: 'string', description: 'Reference of the item.' },
          id: { type: 'string', description: 'Ignored.' },
          organisation_id: {
            type: 'integer',
            description:
              'Organisation of the item; the consumer must be able to read it. Default: that of the request.',
          },
        },
      },
    ],
  },
);

const GetTemplatesInput = Type.Object({
  ...shelf,
  items: optional(
    Type.Array(wantedItem, {
      maxItems: MAX_ITEMS,
      description:
        'The items of the session, in order. May be absent when `activity_template_id` names an activity; then its items are used.',
    }),
  ),
  activity_template_id: optional(
    text({ description: 'Reference of the activity whose items, subscores and scoring settings are used.' }),
  ),
  scoring_type: optional(scoringType),
  subscores: optional(subscores),
});

/** Members of one learner's session. A template is for the sessions of many learners. */
const FORBIDDEN = ['user_id', 'activity_id', 'session_id', 'adaptive'];

@operation({
  path: 'sessions/templates',
  action: 'get',
  summary: 'Returns a template for submitting sessions: items with their current questions.',
  example: { items: ['capitals'] },
  input: GetTemplatesInput,
  output: SessionTemplate,
})
export class GetTemplates implements Operation<typeof GetTemplatesInput> {
  constructor(private readonly templates: SessionTemplates) {}

  async execute(input: Static<typeof GetTemplatesInput>, scope: Scope) {
    refuseForbidden(input);
    const { items = [], activity_template_id: activity, scoring_type: type, subscores: groups } = input;
    return {
      data: await this.templates.get(
        {
          items: items.map((item, index) => ({ ...item, at: `/items/${index}` })),
          activity,
          scoringType: type && scoringTypeOf(type),
          subscores: groups,
        },
        scope,
      ),
    };
  }
}

function refuseForbidden(input: object): void {
  const faults = FORBIDDEN.filter((name) => ((input as Record<string, unknown>)[name] ?? null) !== null).map(
    (name): FaultDetail => ({
      kind: 'value',
      at: `/${name}`,
      message: `${name} may not be sent here: a template is for the sessions of many learners. Leave it out.`,
    }),
  );
  throwAny(faults);
}
