import { type Attempt, type Plan } from './attempt';
import { type AttemptClock, timeView, type TimeView, workedMs } from './clock';
import { remainingOf } from './sections';

/** Seconds: all extensions of a test together. */
const MAX_EXTENSION = 31_622_400;

/** The time of an attempt as pages get it, also that of its sections. */
export function timeOf(attempt: AttemptClock & { plan: Pick<Plan, 'sections'> }, now: number): TimeView {
  const { sections } = attempt.plan;
  const extensions = sections?.map(({ extension = 0 }) => extension);
  return {
    ...timeView(attempt, now),
    ...(sections ? { sections: remainingOf(sections, workedMs(attempt, now)) } : {}),
    ...(extensions?.some((seconds) => seconds > 0) ? { extensions } : {}),
  };
}

/** The attempt with more seconds for the whole test and for the section of the current item. */
export function extended(attempt: Attempt, seconds: number): Attempt {
  const { plan, maxTime, currentItem } = attempt;
  const longer = (before: number | undefined) => Math.min((before ?? 0) + seconds, MAX_EXTENSION);
  const extension = longer(plan.extension);
  const added = extension - (plan.extension ?? 0);
  const sections = plan.sections?.map((section) =>
    section.maxTime !== null && section.items.includes(currentItem ?? '')
      ? { ...section, extension: longer(section.extension) }
      : section,
  );
  return {
    ...attempt,
    maxTime: maxTime === null ? null : maxTime + added,
    plan: { ...plan, extension, ...(sections ? { sections } : {}) },
  };
}
