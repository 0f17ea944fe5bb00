import { Fault } from '#kernel';
import { isObject } from './fields';

type Members = Record<string, unknown>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The parameters of a request, with the place of each in the request. */
export interface Parameters {
  parameters: Members;
  /** Converts the places of a fault from the parameters to the request. */
  relocated(error: unknown): unknown;
}

/**
 * Reads parameters that may also be in an inner object of the request, as in the specification's examples of
 * workflows. Members that clients add, such as `meta` and `next`, may be beside that object or in it.
 * @param member name of the inner object; absent for operations without nested parameters.
 * @throws Fault 20003 when the member is not an object, 20004 when a parameter is in both places.
 */
export function parametersIn(request: Members, member: string | undefined): Parameters {
  const inner = member === undefined ? undefined : innerOf(request, member);
  if (!member || !inner) return { parameters: request, relocated: (error) => error };
  const { [member]: _inner, ...outer } = request;
  for (const [name, value] of Object.entries(outer))
    if (name !== 'meta' && isGiven(value) && isGiven(inner[name]))
      throw new Fault('value', `${name} stands both beside ${member} and in it; send it once.`, `/${name}`);

  const isInner = (name: string, within: string | undefined): boolean => {
    if (name !== 'meta' || !isGiven(inner.meta)) return !isGiven(outer[name]);
    return !isObject(inner.meta) || within === undefined || Object.hasOwn(inner.meta, within);
  };
  const located = (at: string | undefined): string | undefined => {
    const [, name, within] = at?.split('/') ?? [];
    return name !== undefined && isInner(name, within) ? `/${member}${at}` : at;
  };
  return {
    parameters: {
      ...outer,
      ...Object.fromEntries(Object.entries(inner).filter(([, value]) => isGiven(value))),
      ...(isObject(outer.meta) && isObject(inner.meta) ? { meta: { ...outer.meta, ...inner.meta } } : {}),
    },
    relocated: (error) => {
      if (!(error instanceof Fault)) return error;
      const details = error.details.map((detail) => ({ ...detail, at: located(detail.at) }));
      const fault = new Fault(error.kind, error.message, located(error.at), details, error.retryAfter);
      fault.cause = error.cause;
      return fault;
    },
  };
}

function innerOf(request: Members, member: string): Members | undefined {
  const inner = request[member];
  if (!isGiven(inner) || (Array.isArray(inner) && inner.length === 0)) return undefined;
  if (!isObject(inner))
    throw new Fault('type', `${member} must be an object with the parameters, if it is there.`, `/${member}`);
  return inner;
}
