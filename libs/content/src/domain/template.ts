import { checkReference, checkText, Fault, type JsonText, parsedJson, place, refuseRepeated } from '#kernel';

/** How a player shows an activity. */
export interface PlayerTemplate {
  reference: string;
  name: string;
  /** A JSON object: regions, label bundle, custom data. */
  json: JsonText;
}

export const TEMPLATE_STATUSES = ['published', 'archived'] as const;

/** Initial settings of activities; player templates replace it. */
export interface BaseTemplate {
  reference: string;
  description: string;
  status: (typeof TEMPLATE_STATUSES)[number];
  /** A JSON object with `config`. */
  data: JsonText;
}

const NAME_LENGTH = 255;

/** @throws Fault at a place below `/player_templates`. */
export function checkPlayerTemplates(templates: readonly PlayerTemplate[]): void {
  checkReferences(templates, '/player_templates');
  for (const [index, { name, json }] of templates.entries()) {
    const at = `/player_templates/${index}`;
    checkText(name, `${at}/name`, { min: 1, max: NAME_LENGTH });
    checkObject(json, `${at}/json`);
  }
}

/** @throws Fault at a place below `/base_templates`. */
export function checkBaseTemplates(templates: readonly BaseTemplate[]): void {
  checkReferences(templates, '/base_templates');
  for (const [index, { description, status, data }] of templates.entries()) {
    const at = `/base_templates/${index}`;
    checkText(description, `${at}/description`);
    if (!TEMPLATE_STATUSES.includes(status))
      throw new Fault('value', `${place(`${at}/status`)} must be ${TEMPLATE_STATUSES.join(' or ')}.`, `${at}/status`);
    checkObject(data, `${at}/data`);
  }
}

function checkReferences(templates: readonly { reference: string }[], list: string): void {
  const named = templates.map(({ reference }, index) => ({ reference, at: `${list}/${index}/reference` }));
  for (const { reference, at } of named) checkReference(reference, at);
  refuseRepeated(named);
}

/** Reads return the text as it is, so a text that is not JSON would break every answer. */
function checkObject(text: JsonText, at: string): void {
  const value = parsedJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault('schema', `${place(at)} must be a JSON object.`, at);
}
