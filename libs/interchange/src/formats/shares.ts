import { type XmlElement } from './xml';

/** Shares that Moodle writes as percentages with five decimals, and people with two. */
const SHARES = [
  1,
  1 / 2,
  1 / 3,
  2 / 3,
  1 / 4,
  3 / 4,
  1 / 5,
  2 / 5,
  3 / 5,
  4 / 5,
  1 / 6,
  5 / 6,
  1 / 7,
  1 / 8,
  1 / 9,
  1 / 10,
];

const TOLERANCE = 5e-5;

/** The share that a percentage stands for: 33.33333 is a third. */
export function shareOf(percent: number): number {
  const share = Math.abs(percent) / 100;
  const known = SHARES.find((candidate) => Math.abs(candidate - share) < TOLERANCE);
  return Math.sign(percent) * (known ?? share);
}

export const fractionOf = ({ attributes }: XmlElement): number => {
  const percent = Number(attributes.fraction ?? 0);
  return Number.isFinite(percent) ? shareOf(percent) : 0;
};
