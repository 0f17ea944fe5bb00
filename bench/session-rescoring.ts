import { type INestApplicationContext } from '@nestjs/common';
import { Widgets } from '#content';
import { Jobs } from '#jobs';
import { type Scope } from '#kernel';
import { Rescoring } from '#rescoring';
import { note } from './databases';
import { median } from './measure';
import { ORGANISATION } from './seed';
import { itemReference, questionReference, submissionOf, untilDone } from './session-seed';

/**
 * The number of rounds. The first one includes compilation and cold caches, which do not matter to a worker that runs
 * for weeks.
 */
const ROUNDS = 3;

/** The median of the rounds, in sessions per second. */
interface RescoringRates {
  direct: number;
  dryRun: number;
  applied: number;
  reverted: number;
}

const scope = (): Scope => ({
  shelf: { organisation: ORGANISATION },
  operation: 'update sessions/item',
  now: Date.now(),
  readable: new Set([ORGANISATION]),
});

/**
 * Measures how fast one worker rescores an item of the first `sessions` submissions: directly, and by a plan that it
 * makes, applies and reverts. Each time, another question of the item gets a new key.
 */
export async function rescoringRates(app: INestApplicationContext, sessions: number): Promise<RescoringRates> {
  const get = <T>(type: abstract new (...services: never[]) => T): T => app.get<T>(type, { strict: false });
  const rescoring = get(Rescoring);
  const request = {
    sessions: Array.from({ length: sessions }, (_, number) => submissionOf(number).sessionId),
    target: { reference: itemReference(0) },
    overwriteManual: false,
  };
  const rate = async (start: () => Promise<string>): Promise<{ rate: number; plan: string }> => {
    const began = performance.now();
    const job = await start();
    await untilDone(app, [job]);
    const seconds = (performance.now() - began) / 1000;
    const { entries } = await get(Jobs).find([ORGANISATION], { references: [job], limit: 1 });
    return { rate: sessions / seconds, plan: (JSON.parse(entries[0]!.results!) as { plan: string }).plan };
  };
  const rates: Record<keyof RescoringRates, number[]> = { direct: [], dryRun: [], applied: [], reverted: [] };
  for (let round = 0; round < ROUNDS; round++) {
    await rekey(get(Widgets), '1');
    rates.direct.push((await rate(() => rescoring.start({ ...request, dryRun: false }, scope()))).rate);
    await rekey(get(Widgets), '2');
    const dryRun = await rate(() => rescoring.start({ ...request, dryRun: true }, scope()));
    rates.dryRun.push(dryRun.rate);
    rates.applied.push((await rate(() => rescoring.apply(dryRun.plan, scope()))).rate);
    rates.reverted.push((await rate(() => rescoring.revert(dryRun.plan, scope()))).rate);
    note(
      `rescored a second: ${Object.entries(rates)
        .map(([what, list]) => `${what} ${list.at(-1)!.toFixed(0)}`)
        .join(', ')}`,
    );
  }
  const { direct, dryRun, applied, reverted } = rates;
  return { direct: median(direct), dryRun: median(dryRun), applied: median(applied), reverted: median(reverted) };
}

async function rekey(widgets: Widgets, right: string): Promise<void> {
  const options = ['0', '1', '2', '3'].map((value) => ({ label: `Choice ${value}`, value }));
  const validation = { scoring_type: 'exactMatch', valid_response: { score: 1, value: [right] } };
  const data = { stimulus: 'Which one is right? (0)', options, validation };
  await widgets.set('question', [{ reference: questionReference(0), type: 'mcq', data }], scope());
}
