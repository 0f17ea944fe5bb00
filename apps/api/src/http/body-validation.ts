import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { type ValidationError } from 'class-validator';
import { Fault, type FaultDetail, pointerPart } from '#kernel';

const AS_SENT = Symbol('as sent');
/**
 * Members and entries of a body, at any depth; a valid one has fewer. class-transformer converts even undeclared ones,
 * and compares each member of an object with all others.
 */
const MAX_VALUES = 10_000;

type Body = Record<string, unknown>;

/** Marks members with values of any form. They stay as they were parsed. */
export const AsSent = (): PropertyDecorator => (target, name) => Reflect.defineMetadata(AS_SENT, true, target, name);

/** Validates bodies that are declared as classes. */
export const bodyValidation = () => new BodyValidation({ transform: true, whitelist: true, exceptionFactory: faultOf });

class BodyValidation extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body') return super.transform(value, metadata);
    const prototype = metadata.metatype!.prototype as object;
    const [converted, sent]: [Body, Body] = [{}, {}];
    for (const [name, member] of Object.entries(value as Body)) {
      const isAsSent = Reflect.hasMetadata(AS_SENT, prototype, name);
      if (isAsSent) sent[name] = member;
      converted[name] = isAsSent ? withoutContent(member) : member;
    }
    checkSize(converted);
    return Object.assign((await super.transform(converted, metadata)) as Body, sent);
  }
}

const withoutContent = (value: unknown) =>
  typeof value !== 'object' || value === null ? value : Array.isArray(value) ? [] : {};

/** @throws Fault when the value holds more than `MAX_VALUES` others. */
function checkSize(value: unknown): void {
  let values = 0;
  const count = (each: unknown) => {
    if (typeof each !== 'object' || each === null) return;
    const inner = Object.values(each);
    values += inner.length;
    if (values > MAX_VALUES)
      throw new Fault('too-many', `The body has more than ${MAX_VALUES} members and entries of lists.`);
    inner.forEach(count);
  };
  count(value);
}

/** The errors of class-validator as faults with their places. */
function faultOf(errors: ValidationError[]): Fault {
  const details = errors.flatMap((error) => detailsOf(error, ''));
  return Fault.of(details.length > 0 ? details : [{ kind: 'schema', message: 'The body cannot be read.' }]);
}

function detailsOf({ property, constraints = {}, children = [] }: ValidationError, above: string): FaultDetail[] {
  const at = `${above}/${pointerPart(property)}`;
  const own = Object.entries(constraints).map(([name, message]): FaultDetail => {
    const kind = name === 'arrayMaxSize' ? 'too-many' : /^(min|max)/.test(name) ? 'value' : 'type';
    return { kind, at, message: `${message}.` };
  });
  // A value of a wrong type is also outside of all bounds.
  const first = own.find(({ kind }) => kind === 'type') ?? own[0];
  return [...(first ? [first] : []), ...children.flatMap((child) => detailsOf(child, at))];
}
