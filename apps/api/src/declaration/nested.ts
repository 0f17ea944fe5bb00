import { Fault } from '#kernel';
import { isObject } from './fields';

type Members = Record<string, unknown>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The parameters of a request, with the place of each in the request. */
export interface Parameters {
  parameters: Members;
  /** Converts a place in the parameters to that in the request. */
  located(at: string): string;
  /** Converts the places of a fault in the same way. */
  relocated(error: unknown): unknown;
}

/**
 * Reads parameters that may also be in an inner object of the request, as in the specification's examples of
 * workflows. Members that clients add, such as `meta` and `next`, may be beside that object or in it.
 * @param member name of the inner object; absent for operations without nested parameters.
 * @throws Fault 20003 when the member is not an object, 20004 when a parameter is in both places.
 */
export function parametersIn(request: Members, member: string | undefined): Parameters {
  if (member === undefined) return unchanged(request);
  const inner = innerOf(request, member);
  const { [member]: _inner, ...outer } = request;
  if (!inner) return unchanged(outer);
  for (const [name, value] of Object.entries(outer))
    if (name !== 'meta' && isGiven(value) && isGiven(inner[name]))
      throw new Fault('value', `${name} stands both beside ${member} and in it; send it once.`, `/${name}`);

  const isInner = (name: string, within: string | undefined): boolean => {
    if (name !== 'meta' || !isGiven(inner.meta)) return !isGiven(outer[name]);
    return !isObject(inner.meta) || within === undefined || Object.hasOwn(inner.meta, within);
  };
  const located = (at: string): string => {
    const [, name, within] = at.split('/');
    return name !== undefined && isInner(name, within) ? `/${member}${at}` : at;
  };
  const locatedIfKnown = (at: string | undefined) => (at === undefined ? undefined : located(at));
  return {
    parameters: {
      ...outer,
      ...Object.fromEntries(Object.entries(inner).filter(([, value]) => isGiven(value))),
      ...(isObject(outer.meta) && isObject(inner.meta) ? { meta: { ...outer.meta, ...inner.meta } } : {}),
    },
    located,
    relocated: (error) => {
      if (!(error instanceof Fault)) return error;
      const details = error.details.map((detail) => ({ ...detail, at: locatedIfKnown(detail.at) }));
      const fault = new Fault(error.kind, error.message, locatedIfKnown(error.at), details, error.retryAfter);
      fault.cause = error.cause;
      return fault;
    },
  };
}

const unchanged = (parameters: Members): Parameters => ({
  parameters,
  located: (at) => at,
  relocated: (error) => error,
});

function innerOf(request: Members, member: string): Members | undefined {
  const inner = request[member];
  if (!isGiven(inner) || (Array.isArray(inner) && inner.length === 0)) return undefined;
  if (!isObject(inner))
    throw new Fault('type', `${member} must be an object with the parameters, if it is there.`, `/${member}`);
  return inner;
}
