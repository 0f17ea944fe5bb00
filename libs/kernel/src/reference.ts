import { Fault } from './fault';
import { place } from './place';
import { nameOfCharacter } from './text';

/** References of activities, items, pools and workflows: printable ASCII except the three quotation marks. */
const FOREIGN_TO_REFERENCE = /[^\x20-\x7e]|["'`]/u;
/** References of questions and features. */
const FOREIGN_TO_WIDGET_REFERENCE = /[^A-Za-z0-9_-]/u;

export const REFERENCE_LENGTH = 150;

/** @param at JSON pointer to the reference in the request. */
export function checkReference(reference: string, at: string): void {
  check(reference, at, FOREIGN_TO_REFERENCE, 'printable ASCII characters except " \' and `');
}

export function checkWidgetReference(reference: string, at: string): void {
  check(reference, at, FOREIGN_TO_WIDGET_REFERENCE, 'letters, digits, underscore and dash');
}

function check(reference: string, at: string, foreign: RegExp, allowed: string): void {
  if (reference.length === 0 || reference.length > REFERENCE_LENGTH)
    throw new Fault(
      'length',
      `${place(at)} must have 1 to ${REFERENCE_LENGTH} characters; it has ${reference.length}.`,
      at,
    );
  const found = foreign.exec(reference);
  if (found)
    throw new Fault(
      'value',
      `${place(at)} holds ${nameOfCharacter(found[0])} (character ${found.index + 1}); a reference may hold ${allowed}.`,
      at,
    );
}
