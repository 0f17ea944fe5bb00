import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { DATASET_TYPES, Datasets, REPORT_LANGUAGES } from '#reporting';
import { optional, text, words } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource } from '../../../../declaration/outputs';

const SetDatasetsInput = Type.Object({
  ...bank,
  dataset_type: text({ min: 1, description: `Type of the dataset: ${DATASET_TYPES.join(', ')}.` }),
  dataset_id: text({
    min: 1,
    max: 600,
    description:
      'Subject of the dataset: the reference of an item, the reference or activity_id of an activity, or a session tag as type:name.',
  }),
  language: optional(
    words(REPORT_LANGUAGES, { description: 'Language of the page of an analysis.', default: REPORT_LANGUAGES[0] }),
  ),
  ...meta,
});

const StartedDataset = resource(
  'StartedDataset',
  'The job that writes a dataset; its `results` list the files when it is completed.',
  {
    job_reference: text('Reference of the job.'),
    dataset_type: text('The value in the request.'),
    dataset_id: text('The value in the request.'),
  },
);

@operation({
  path: 'jobs/reports/datasets',
  action: 'set',
  summary: 'Starts a job that writes the files of a dataset: statistics of completed sessions.',
  example: { dataset_type: 'activity-summary-by-group', dataset_id: 'geography-1' },
  input: SetDatasetsInput,
  output: StartedDataset,
})
export class SetDatasets implements Operation<typeof SetDatasetsInput> {
  constructor(private readonly datasets: Datasets) {}

  async execute(
    { dataset_type, dataset_id, language = REPORT_LANGUAGES[0] }: Static<typeof SetDatasetsInput>,
    scope: Scope,
  ) {
    const job_reference = await this.datasets.start(dataset_type, dataset_id, language, scope);
    const view: Static<typeof StartedDataset> = { job_reference, dataset_type, dataset_id };
    return { data: JSON.stringify(view) };
  }
}
