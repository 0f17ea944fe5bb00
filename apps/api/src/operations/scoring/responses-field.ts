import { Fault, type FaultDetail, type JsonObject, pointerPart } from '#kernel';
import { isObject, read, unlessEmpty, wrongType } from '../../declaration/fields';
import { MAX_FOUND } from '../../declaration/validation';

/** Responses by the response_id of their question. Null means no response. */
export const responsesField = (description: string) =>
  read<ReadonlyMap<string, JsonObject>>(
    (value, at) => {
      const given = unlessEmpty(value);
      if (!isObject(given)) throw wrongType(at, 'an object with the responses by response_id');
      const responses = new Map<string, JsonObject>();
      const faults: FaultDetail[] = [];
      for (const [id, sent] of Object.entries(given)) {
        const response = unlessEmpty(sent);
        const responseAt = `${at}/${pointerPart(id)}`;
        if (isObject(response)) responses.set(id, response as JsonObject);
        else if (response !== null)
          faults.push(...wrongType(responseAt, 'an object with the answer in value, or null').details);
        if (faults.length === MAX_FOUND) break;
      }
      if (faults.length > 0) throw Fault.of(faults);
      return responses;
    },
    { type: 'object', additionalProperties: { type: ['object', 'null'] }, description },
  );
