import { type ReactNode } from 'react';
import { Fault, type FaultPlace } from '../operations/fault';
import { ServiceText } from './service-text';

const isAt = (place: string, pointer: string) => place === pointer || place.startsWith(`${pointer}/`);

/** Whether a fault is about a field or its content. */
export const isAbout = (fault: unknown, pointer: string): fault is Fault =>
  fault instanceof Fault && fault.places.some((place) => isAt(place.pointer, pointer));

/** The message of a fault about a field or its content, for the `error` of the control. */
export function messageAt(fault: unknown, pointer: string): ReactNode {
  const found = fault instanceof Fault && fault.places.find((place) => isAt(place.pointer, pointer));
  return found ? <ServiceText>{found.message}</ServiceText> : undefined;
}

/** The fault, or null when fields at the pointers show all of it. */
export const besides = (fault: unknown, pointers: readonly string[]): unknown =>
  fault instanceof Fault &&
  fault.places.length > 0 &&
  fault.places.every((place) => pointers.some((pointer) => isAt(place.pointer, pointer)))
    ? null
    : fault;

/** The places of a fault below a pointer, with pointers from there. */
export const faultsBelow = (fault: unknown, pointer: string): FaultPlace[] =>
  fault instanceof Fault
    ? fault.places
        .filter((place) => isAt(place.pointer, pointer))
        .map((place) => ({ ...place, pointer: place.pointer.slice(pointer.length) }))
    : [];
