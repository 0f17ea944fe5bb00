import { Injectable } from '@nestjs/common';

/** A line of an export: `record` says what it is. */
export type ExportLine = { record: string } & Record<string, unknown>;

/** Another context that stores data of learners. */
export interface LearnerHolder {
  /** Removes all data of the learner in the caller's unit of work; returns how much it was. */
  erase(organisation: number, user: string): Promise<number>;
  lines(organisation: number, user: string): AsyncIterable<ExportLine>;
}

/** The later contexts that store data of learners. Each registers itself, as checks do. */
@Injectable()
export class LearnerHolders {
  readonly all: LearnerHolder[] = [];

  add(holder: LearnerHolder): void {
    this.all.push(holder);
  }
}
