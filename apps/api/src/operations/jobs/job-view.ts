import { type Static, Type } from '@sinclair/typebox';
import { type Job as StoredJob, type JobError, JOB_STATUSES } from '#jobs';
import { type JsonText } from '#kernel';
import { integer, nullable, optional, text, words } from '../../declaration/fields';
import { resource } from '../../declaration/outputs';
import { BUG, FAULTS } from '../../http/faults';
import { dateTime, members, objectOf } from '../record-view';

export const Job = resource(
  'Job',
  'Asynchronous work that an operation has started. All properties are returned unless `include` names some.',
  {
    reference: optional(text('The `job_reference` from the answer of the operation.')),
    type: optional(text('Type of the job, such as `duplicate-activities`.')),
    subject: optional(
      nullable(
        text(
          'What the job works on: reference of the pool that it fills or exports, `dataset_id` of its dataset, reference of the item that it rescores or of the question of its marking round, name of the imported file, or new name of the tag as type:name. Other jobs have null, and show it only if `include` names it.',
        ),
      ),
    ),
    status: optional(words(JOB_STATUSES, { description: '`completed` and `halted` end a job.' })),
    dt_created: optional(text('Time at which the job was started, UTC.')),
    dt_completed: optional(nullable(text('Time at which it ended, UTC; null until then.'))),
    progress: optional(
      Type.Object(
        {
          done: integer('Number of finished entries.'),
          total: nullable(integer('Total number of entries; null while it is unknown.')),
        },
        { description: 'Progress of the job.' },
      ),
    ),
    results: optional(
      Type.Unknown({
        description:
          'Results, depending on the type; null until the job is completed. Results in a file, or above 64 KB, are an object with `address` (read with GET until `expires_at`; each read of the job returns a new one), `content_type`, `bytes` and `sha256`. Several files are a list `files` of such objects, each with its `name`.',
      }),
    ),
    error: optional(
      nullable(
        Type.Object(
          { code: integer('Code of the error, as in answers to calls.'), message: text('The problem.') },
          {
            description:
              'Why the job was halted. For other jobs it is null, and returned only when `include` names it.',
          },
        ),
      ),
    ),
  },
);

/** Each property and its JSON text. */
const PROPERTIES: { [Name in keyof Static<typeof Job>]-?: (job: StoredJob) => JsonText } = {
  reference: ({ id }) => JSON.stringify(id),
  type: ({ type }) => JSON.stringify(type),
  subject: ({ subject }) => JSON.stringify(subject),
  status: ({ status }) => JSON.stringify(status),
  dt_created: ({ createdAt }) => JSON.stringify(dateTime(createdAt)),
  dt_completed: ({ completedAt }) => JSON.stringify(completedAt === null ? null : dateTime(completedAt)),
  progress: ({ progress: { done, total } }) => JSON.stringify({ done, total }),
  results: ({ results }) => results ?? 'null',
  error: ({ error }) => JSON.stringify(error && errorView(error)),
};

type Name = keyof typeof PROPERTIES;

/** Undefined: all. Unknown names are ignored, and a list of only unknown names counts as absent. */
export function shownNames(include: readonly string[] | undefined): Name[] | undefined {
  const known = [...new Set(include)].filter((name): name is Name => Object.hasOwn(PROPERTIES, name));
  return known.length > 0 ? known : undefined;
}

/** `subject` and `error` are shown when the job has them, or when the request names them. */
export function jobView(job: StoredJob, names: readonly Name[] | undefined): JsonText {
  const shown =
    names ??
    (Object.keys(PROPERTIES) as Name[]).filter(
      (name) => (name !== 'error' && name !== 'subject') || job[name] !== null,
    );
  return objectOf(members(Object.fromEntries(shown.map((name) => [name, PROPERTIES[name](job)]))));
}

const errorView = ({ kind, message }: JobError): Static<typeof Job>['error'] => ({
  code: kind === null ? BUG.code : FAULTS[kind].code,
  message,
});
