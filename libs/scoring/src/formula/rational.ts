import FractionOfLibrary from 'fraction.js';

/** An exact rational number. The library exports its class as a value without a type of the same name. */
export const Fraction = FractionOfLibrary;
export type Fraction = InstanceType<typeof FractionOfLibrary>;
