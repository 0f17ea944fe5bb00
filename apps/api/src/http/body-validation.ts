import { ValidationPipe } from '@nestjs/common';
import { type ValidationError } from 'class-validator';
import { Fault, type FaultDetail, pointerPart } from '#kernel';

/** Validates bodies that are declared as classes. */
export const bodyValidation = () =>
  new ValidationPipe({ transform: true, whitelist: true, stopAtFirstError: true, exceptionFactory: faultOf });

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
  return [...own, ...children.flatMap((child) => detailsOf(child, at))];
}
