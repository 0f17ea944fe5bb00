import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { PinnedContent } from '#content';
import { type FiledResults, type JobFile, JobHandler, Jobs, type RunningJob } from '#jobs';
import { Clock, Fault, place, type Scope } from '#kernel';
import { LongReads } from '#platform';
import { Forms } from '#sessions';
import { type Analysis } from '../domain/analysis/figures';
import { type GroupFigures } from '../domain/analysis/group-summary';
import { Analyses } from './analyses';
import { DatasetSessions } from './dataset-sessions';
import { CHOICE, GROUP, QUESTION, QUESTION_CHOICE, rowOf, TEST } from './columns';
import { analysisReport } from './report/analysis-report';
import { type ReportLanguage } from './report/report-texts';
import { summaries } from './summaries';
import { DATASET_TYPES, type DatasetType, NAMED, namesOf, selectionsOf, type Target } from './targets';
import { csvOf, linesOf } from './texts';

const CSV = 'text/csv; charset=utf-8';
const NDJSON = 'application/x-ndjson';
const HTML = 'text/html; charset=utf-8';

/** Makes datasets of completed sessions. A job writes them to files, for any number of sessions. */
@Injectable()
export class Datasets extends JobHandler {
  override readonly type = 'dataset';

  constructor(
    private readonly jobs: Jobs,
    private readonly scan: DatasetSessions,
    private readonly forms: Forms,
    private readonly content: PinnedContent,
    private readonly clock: Clock,
    private readonly longReads: LongReads,
  ) {
    super();
  }

  /**
   * Starts the job; returns its reference.
   * @param language of the page of an analysis.
   * @throws Fault 44000 for an unknown type, 20004 for an id that does not have the form that the type requires, 50000
   * when no completed session belongs to the dataset.
   */
  async start(type: string, id: string, language: ReportLanguage, scope: Scope): Promise<string> {
    const known = DATASET_TYPES.find((each) => each === type);
    if (!known)
      throw new Fault(
        'dataset-type-unknown',
        `${place('/dataset_type')} must be one of ${DATASET_TYPES.join(', ')}.`,
        '/dataset_type',
      );
    if (known === 'sessions-summary-by-group' && !/^.+:./s.test(id))
      throw new Fault('value', `${place('/dataset_id')} must be ${NAMED[known]}, such as Class:7b.`, '/dataset_id');
    const target: Target = { organisation: scope.shelf.organisation, type: known, id };
    if (!(await this.isThere(target)))
      throw new Fault(
        'dataset-empty',
        `${place('/dataset_id')} must be ${NAMED[known]} with completed sessions; ${JSON.stringify(id)} has none.`,
        '/dataset_id',
      );
    return this.jobs.start(
      { type: this.type, lane: 'bulk', subject: id, input: JSON.stringify({ type: known, id, language }) },
      scope,
    );
  }

  override async run(job: RunningJob): Promise<FiledResults> {
    // Jobs of earlier versions have no language.
    const { type, id, language = 'en' } = job.input as { type: DatasetType; id: string; language?: ReportLanguage };
    const target: Target = { organisation: job.organisation, type, id };
    return this.longReads.run(() =>
      isAnalysis(type) ? this.analysed(job, target, language) : this.summarised(job, target),
    );
  }

  private async isThere(target: Target): Promise<boolean> {
    for (const selection of await this.selections(target))
      if (await this.scan.any(target.organisation, selection)) return true;
    return false;
  }

  private selections(target: Target) {
    const { forms, scan, content } = this;
    return selectionsOf(target, { forms, scan, content });
  }

  private async analysed(job: RunningJob, target: Target, language: ReportLanguage): Promise<FiledResults> {
    const analyses = new Analyses(this.scan, this.forms, this.content);
    const analysis = await analyses.of(target, await this.selections(target), (done, total) =>
      job.report({ done, total }),
    );
    const { test, questions } = analysis;
    const choices = function* () {
      for (const question of questions) for (const choice of question.choices ?? []) yield { question, choice };
    };
    const files = [
      await written(job, analysisReport(target, analysis, this.clock.now(), language), HTML, 'report.html'),
      await written(job, csvOf(TEST, [test]), CSV, 'test.csv'),
      await written(job, csvOf(QUESTION, questions), CSV, 'questions.csv'),
      await written(job, csvOf(QUESTION_CHOICE, choices()), CSV, 'options.csv'),
      await written(job, linesOf(analysisLines(target, analysis)), NDJSON, 'analysis.ndjson'),
    ];
    return resultsOf(target, files, { sessions: test.sessions, questions: questions.length });
  }

  private async summarised(job: RunningJob, target: Target): Promise<FiledResults> {
    const groups = await summaries(this.scan, target, await this.selections(target), (done) =>
      job.report({ done, total: null }),
    );
    const { sessions } = groups[0]!;
    await job.report({ done: sessions, total: sessions });
    const files = [
      await written(job, csvOf(GROUP, groups), CSV, 'groups.csv'),
      await written(job, linesOf(groupLines(target, groups)), NDJSON, 'groups.ndjson'),
    ];
    return resultsOf(target, files, { sessions, groups: groups.length });
  }
}

const isAnalysis = (type: DatasetType): boolean =>
  type === 'ibk-analysis-by-question' || type === 'activity-analysis-by-question';

const written = (
  job: RunningJob,
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
  contentType: string,
  name: string,
): Promise<JobFile> => job.writeFile(Readable.from(content), contentType, name);

const resultsOf = (target: Target, files: JobFile[], counts: Record<string, number>): FiledResults => ({
  files,
  members: JSON.stringify({ ...namesOf(target), ...counts }),
});

function* analysisLines(target: Target, { test, histogram, questions }: Analysis): Generator<object> {
  yield { record: 'test', ...namesOf(target), ...rowOf(TEST, test), histogram };
  for (const question of questions)
    yield {
      record: 'question',
      ...rowOf(QUESTION, question),
      options: question.choices && question.choices.map((choice) => rowOf(CHOICE, choice)),
    };
}

function* groupLines(target: Target, groups: readonly GroupFigures[]): Generator<object> {
  for (const group of groups) yield { record: 'group', ...namesOf(target), ...rowOf(GROUP, group) };
}
