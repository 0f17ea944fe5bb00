import { type Engine, note } from './databases';
import { load } from './load';
import { median } from './measure';
import { processorMilliseconds, type Running } from './processes';
import { inTurn, type Prepared } from './requests';

const SIDES = ['floor', 'service'] as const;
export type Side = (typeof SIDES)[number];
export type Sides = Record<Side, Running>;

export interface Comparison {
  name: string;
  engine: Engine;
  goal: string;
  sides: Sides;
  rounds: number;
  seconds: number;
  next: () => Prepared;
  /** Called before each load of a side. */
  ready?: (side: Side) => Promise<void>;
}

/** The columns of {@link compareSides} after the first. */
export const COMPARED = [
  'engine',
  'floor, req/s',
  'service, req/s',
  'ratio',
  'lowest',
  'highest',
  'goal',
  'Node, ms of processor: floor, service',
];

/** Sends the same requests to the floor and to the service in turn. Returns a row of a table. */
export async function compareSides({ name, engine, goal, sides, ...given }: Comparison): Promise<string[]> {
  const { rounds, seconds, next, ready } = given;
  const rates: Record<Side, number[]> = { floor: [], service: [] };
  const processor: Record<Side, number[]> = { floor: [], service: [] };
  for (let round = -1; round < rounds; round++)
    for (const side of round % 2 ? SIDES.toReversed() : SIDES) {
      await ready?.(side);
      const before = processorMilliseconds(sides[side].pid);
      const { perSecond, answered } = await load(sides[side].port, next, round < 0 ? seconds / 2 : seconds);
      // The first round warms up.
      if (round < 0) continue;
      rates[side].push(perSecond);
      processor[side].push((processorMilliseconds(sides[side].pid) - before) / answered);
    }
  const perSecond = SIDES.map((side) => median(rates[side]).toFixed(0));
  note(`${engine}: ${name}: floor ${perSecond[0]}/s, service ${perSecond[1]}/s`);
  const ratios = rates.service.map((rate, round) => rate / rates.floor[round]!);
  const perRequest = SIDES.map((side) => median(processor[side]).toFixed(1)).join(', ');
  return [name, engine, ...perSecond, ...spread(ratios), goal, perRequest];
}

/**
 * Sends two kinds of requests in turn. Returns the rate of each, and the second rate divided by the first in each
 * round.
 */
export async function compareRequests(
  port: number,
  kinds: readonly (readonly Prepared[])[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<{ perSecond: string[]; ratios: number[] }> {
  const rates: number[][] = kinds.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [which, requests] of kinds.entries())
      rates[which]!.push((await load(port, inTurn(requests), seconds / 2)).perSecond);
  return {
    perSecond: rates.map((list) => median(list).toFixed(0)),
    ratios: rates[1]!.map((rate, round) => rate / rates[0]![round]!),
  };
}

/** The median, the lowest and the highest ratio. */
export const spread = (ratios: readonly number[]): string[] =>
  [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(2));
