import type { Json } from '#kernel';
import { numberOf, objectOf } from './members';

/**
 * Range and number of points, and the prior distribution: a normal distribution over equally spaced points, in logits.
 */
export interface EapParameters {
  mean: number;
  standardDeviation: number;
  thetaMin: number;
  thetaMax: number;
  /** Points from `thetaMin` to `thetaMax`, both included. */
  numPoints: number;
}

/** An answered item and its difficulty in logits. */
interface ItemOutcome {
  difficulty: number;
  /** As `isRight` returns it. The item has no effect if it is null. */
  right: boolean | null;
}

interface AbilityEstimate {
  /** In logits. */
  abilityEstimate: number;
  standardError: number;
}

export const DEFAULT_EAP: EapParameters = { mean: 0, standardDeviation: 1, thetaMin: -4, thetaMax: 4, numPoints: 50 };

/** More points do not improve the estimate, and would make one session slow. */
const MAX_POINTS = 1000;

/** Reads the `eap` object of an adaptive configuration. Absent and invalid members get their defaults. */
export function readEap(eap: Json | undefined): EapParameters {
  const given = objectOf(eap);
  const sd = numberOf(given['standard_deviation']) ?? DEFAULT_EAP.standardDeviation;
  const points = numberOf(given['num_points']) ?? DEFAULT_EAP.numPoints;
  const read: EapParameters = {
    mean: numberOf(given['mean']) ?? DEFAULT_EAP.mean,
    standardDeviation: sd > 0 ? sd : DEFAULT_EAP.standardDeviation,
    thetaMin: numberOf(given['theta_min']) ?? DEFAULT_EAP.thetaMin,
    thetaMax: numberOf(given['theta_max']) ?? DEFAULT_EAP.thetaMax,
    numPoints: points >= 2 ? Math.min(Math.floor(points), MAX_POINTS) : DEFAULT_EAP.numPoints,
  };
  const { mean, thetaMin, thetaMax } = read;
  if (thetaMin < mean && mean < thetaMax) return read;
  return { ...read, mean: DEFAULT_EAP.mean, thetaMin: DEFAULT_EAP.thetaMin, thetaMax: DEFAULT_EAP.thetaMax };
}

/** The distance of probabilities from 0 and 1. It keeps one surprising answer from deciding everything. */
const MARGIN = 1e-5;

/**
 * Estimates the ability as the mean of its posterior distribution (expected a posteriori, decision 26) under the Rasch
 * model: the probability of a right answer is 1 / (1 + exp(difficulty − ability)). The standard error is the standard
 * deviation of that distribution.
 */
export function estimateAbility(
  outcomes: readonly ItemOutcome[],
  { mean, standardDeviation, thetaMin, thetaMax, numPoints }: EapParameters = DEFAULT_EAP,
): AbilityEstimate {
  const step = (thetaMax - thetaMin) / (numPoints - 1);
  const points = Array.from({ length: numPoints }, (_, index) => thetaMin + index * step);
  // Uses logarithms, because the product of a thousand probabilities underflows.
  const logs = points.map((theta) => {
    const z = (theta - mean) / standardDeviation;
    return outcomes.reduce((log, outcome) => log + logLikelihood(outcome, theta), (-z * z) / 2);
  });
  const highest = logs.reduce((high, log) => Math.max(high, log), -Infinity);
  const weights = logs.map((log) => Math.exp(log - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const average = (of: (theta: number) => number): number =>
    points.reduce((sum, theta, index) => sum + of(theta) * weights[index]!, 0) / total;
  const abilityEstimate = average((theta) => theta);
  return {
    abilityEstimate: abilityEstimate + 0,
    standardError: Math.sqrt(average((theta) => (theta - abilityEstimate) ** 2)),
  };
}

function logLikelihood({ difficulty, right }: ItemOutcome, theta: number): number {
  if (right === null) return 0;
  const probability = 1 / (1 + Math.exp(difficulty - theta));
  const kept = Math.min(Math.max(probability, MARGIN), 1 - MARGIN);
  return Math.log(right ? kept : 1 - kept);
}
