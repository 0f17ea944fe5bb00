import { type FaultDetail, isObject, type Json, type JsonObject, listOf, objectOf } from '#kernel';

/** Whether a member of the request has a value. Pages write an empty text for none. */
export const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== '';

/**
 * The faults of members whose values the service reads (decision 113). Without this check, a misspelt time limit would start a
 * test without one.
 */
export function malformedIn(request: JsonObject): FaultDetail[] {
  const faults: FaultDetail[] = [];
  const refuse = (at: string, rule: string) =>
    void faults.push({ kind: 'type', message: `${at.slice(1).replaceAll('/', '.')} must be ${rule}.`, at });
  /** The member, or an empty object. PHP writes an empty object as an empty list. */
  const objectAt = (value: Json | undefined, at: string): JsonObject => {
    const isEmpty = !isGiven(value) || (Array.isArray(value) && value.length === 0);
    if (!isEmpty && !isObject(value)) refuse(at, 'an object');
    return objectOf(value);
  };
  const config = (value: Json | undefined, at: string): void => {
    const { time, navigation, configuration } = objectAt(value, at);
    objectAt(navigation, `${at}/navigation`);
    objectAt(configuration, `${at}/configuration`);
    const { max_time: limit, limit_type: type } = objectAt(time, `${at}/time`);
    const seconds = typeof limit === 'string' ? Number(limit) : limit;
    // Pages write false for no limit.
    if (isGiven(limit) && limit !== false && !(typeof seconds === 'number' && seconds >= 0))
      refuse(`${at}/time/max_time`, 'seconds');
    if (isGiven(type) && type !== 'soft' && type !== 'hard') refuse(`${at}/time/limit_type`, 'soft or hard');
  };
  config(request.config, '/config');
  objectAt(request.session_metadata, '/session_metadata');
  for (const name of ['items', 'sections'])
    if (isGiven(request[name]) && !Array.isArray(request[name])) refuse(`/${name}`, 'a list');
  for (const [index, section] of listOf(request.sections).entries())
    config(objectAt(section, `/sections/${index}`).config, `/sections/${index}/config`);
  return faults;
}
