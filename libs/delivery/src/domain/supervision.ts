import { flagOf, type JsonObject, objectOf } from '#kernel';

/* The supervisor's dialog, as `config.administration` describes it (decision 124). */

/** An action of a supervisor at the learner's page. */
export type SupervisorAction = 'extend' | 'save' | 'submit' | 'discard';

export interface SupervisorRule {
  /** SHA-256 of the password, in hexadecimal digits. */
  hash: string;
  /** The permitted actions. */
  actions: SupervisorAction[];
}

/** The switch of each action. By default, all actions are on, except discarding answers. */
const SWITCHES: readonly [option: string, action: SupervisorAction, byDefault: boolean][] = [
  ['show_extend', 'extend', true],
  ['show_save', 'save', true],
  ['show_submit', 'submit', true],
  ['show_exit', 'discard', false],
];

/** The rule of a request; undefined without a password, or for a page without the player. */
export function supervisorIn({ rendering_type: rendering, config }: JsonObject): SupervisorRule | undefined {
  const { pwd, options } = objectOf(objectOf(config).administration);
  if (rendering === 'inline' || typeof pwd !== 'string' || !/^[0-9a-f]{64}$/i.test(pwd)) return undefined;
  const switches = objectOf(options);
  const allowed = SWITCHES.filter(([option, , byDefault]) => flagOf(switches[option]) ?? byDefault);
  return { hash: pwd.toLowerCase(), actions: allowed.map(([, action]) => action) };
}
