import { GRACE_MS } from './clock';

/* Hard time limits of sections, by the clock of the service (decision 100). */

export interface PlannedSection {
  /** Ids of its items in the page. */
  items: string[];
  /** Seconds of its hard limit; null without one. */
  maxTime: number | null;
  /** Seconds that a supervisor has added. */
  extension?: number;
  /** Milliseconds of working time when the learner entered it; null before that. */
  enteredAt: number | null;
}

/** The sections after a save that names these items. Returns the same list if the save enters no section. */
export function entered(
  sections: readonly PlannedSection[],
  items: readonly string[],
  worked: number,
): readonly PlannedSection[] {
  const isNew = ({ items: its, enteredAt }: PlannedSection) =>
    enteredAt === null && its.some((id) => items.includes(id));
  return sections.some(isNew)
    ? sections.map((section) => (isNew(section) ? { ...section, enteredAt: worked } : section))
    : sections;
}

/** The sections of a new request. Each keeps the entry and the extension of the section at its position before. */
export function resumed(
  sections: readonly PlannedSection[],
  before: readonly PlannedSection[] = [],
): readonly PlannedSection[] {
  return sections.map((section, index) => {
    const { enteredAt = null, extension } = before[index] ?? {};
    return { ...section, enteredAt, ...(extension === undefined ? {} : { extension }) };
  });
}

/** Whether the section of an item accepts no more answers. */
export function isSectionOver(sections: readonly PlannedSection[], item: string, worked: number): boolean {
  const section = sections.find(({ items }) => items.includes(item));
  return section !== undefined && leftOf(section, worked) < -GRACE_MS;
}

/** Remaining seconds of each section; null for one without a limit, and before the learner enters it. */
export function remainingOf(sections: readonly PlannedSection[], worked: number): (number | null)[] {
  return sections.map((section) => {
    const left = leftOf(section, worked);
    return left === Infinity ? null : Math.max(0, Math.ceil(left / 1000));
  });
}

function leftOf({ maxTime, extension = 0, enteredAt }: PlannedSection, worked: number): number {
  return maxTime === null || enteredAt === null ? Infinity : enteredAt + (maxTime + extension) * 1000 - worked;
}
