import { Files } from '#platform';
import { type TestService } from '../support/service';

/* Ways to damage a database that `storeEverything` filled. */

/** The expected finding of `verify`: kind, reference, and message. */
export type Expected = readonly [kind: string, reference: string | RegExp, found: RegExp];

interface Damage {
  name: string;
  apply(service: TestService): Promise<void>;
  /** All findings that the damage causes. */
  expected: readonly Expected[];
}

/** Runs statements. Each of them must change a row. */
const sql =
  (...statements: string[]) =>
  async ({ database }: TestService): Promise<void> => {
    for (const statement of statements)
      if ((await database.write(statement)) === 0) throw new Error(`This changed nothing: ${statement}`);
  };

/** MySQL cannot read the table that a statement changes, except through a derived table. */
const columnOf = (table: string, column: string, condition: string) =>
  `(SELECT ${column} FROM (SELECT * FROM ${table}) x WHERE x.organisation_id = 1 AND ${condition})`;
const record = (reference: string, column = 'id') => columnOf('bank_record', column, `x.reference = '${reference}'`);
const session = (reference: string, column = 'id') => columnOf('session', column, `x.session_id = '${reference}'`);
const work = (reference: string, column: string, from: string, to: string) =>
  `UPDATE session_work SET ${column} = REPLACE(${column}, '${from}', '${to}') WHERE id = ${session(reference)}`;
const someTag = columnOf('tag', 'id', `x.name = 'Hard'`);
/** The first job of a type. */
const job = (type: string) => columnOf('job', 'MIN(id)', `x.type = '${type}'`);
/** Sets a due time in the far future, so that no worker runs the job. */
const NEVER = 'due_at = 9000000000000';

const ID = '[0-9A-Z]{26}';

export const damages: readonly Damage[] = [
  {
    name: 'a letter of a document has changed',
    apply: sql(`UPDATE document SET body = REPLACE(body, 'even', 'evem') WHERE id = ${record('q-3', 'document_id')}`),
    expected: [
      ['question', 'q-3', /^its document \w{26} has the SHA-256 [0-9a-f]{64}$/],
      ['question', 'q-3', /^its text for search differs from its document$/],
    ],
  },
  {
    name: 'a document is cut off',
    apply: sql(`UPDATE document SET body = '{' WHERE id = ${record('q-4', 'document_id')}`),
    expected: [['question', 'q-4', /^its document \w{26} is not a valid document$/]],
  },
  {
    name: 'a document is gone',
    apply: sql(`DELETE FROM document WHERE id = ${record('q-5', 'document_id')}`),
    expected: [['question', 'q-5', /^its revision \d+ has the document_id \w{26}$/]],
  },
  {
    name: 'a record has a status that no revision gave it',
    apply: sql(`UPDATE bank_record SET status = 'archived' WHERE organisation_id = 1 AND reference = 'it-4'`),
    expected: [['item', 'it-4', /^its status is archived$/]],
  },
  {
    name: 'a record has another document than its latest revision',
    apply: sql(
      `UPDATE bank_record SET document_id = ${record('q-3', 'document_id')} WHERE organisation_id = 1 AND reference = 'f-2'`,
    ),
    expected: [
      ['feature', 'f-2', /^its document_id is \w{26}$/],
      ['feature', 'f-2', /^its text for search differs from its document$/],
    ],
  },
  {
    name: 'a record has no revision',
    apply: sql(`DELETE FROM revision WHERE organisation_id = 1 AND record_id = ${record('ac-2')}`),
    expected: [['activity', 'ac-2', /^it has no revision$/]],
  },
  {
    name: 'the latest revision of a record is gone',
    apply: sql(`DELETE FROM revision WHERE organisation_id = 1 AND reference = 'it-6b'`),
    expected: [
      ['item', 'it-6b', /^its reference is it-6b$/],
      ['item', 'it-6b', /^its updated_at is \d+$/],
    ],
  },
  {
    name: 'a record is not found by its tag',
    apply: sql(`DELETE FROM bank_tag WHERE organisation_id = 1 AND record_id = ${record('it-3')}`),
    expected: [['item', 'it-3', /^it is not found by its tag \w{26}$/]],
  },
  {
    name: 'a record is found by a tag that it does not have',
    apply: sql(
      `INSERT INTO bank_tag (organisation_id, kind, tag_id, record_id) SELECT 1, 'item', ${someTag}, ${record('it-5')}`,
    ),
    expected: [['item', 'it-5', /^it is found by the tag \w{26}$/]],
  },
  {
    name: 'an item is not in the index of search',
    apply: sql(`DELETE FROM search_text WHERE organisation_id = 1 AND record_id = ${record('it-3')}`),
    expected: [['item', 'it-3', /^no search finds it$/]],
  },
  {
    name: 'an item is in the index of search with the words of another',
    apply: sql(`UPDATE search_text SET words = 'zqother' WHERE organisation_id = 1 AND record_id = ${record('it-1')}`),
    expected: [['item', 'it-1', /^searches find it by other words than it has$/]],
  },
  {
    name: 'the text of a question for search is that of another',
    apply: sql(`UPDATE record_text SET text = 'Wrong' WHERE organisation_id = 1 AND record_id = ${record('q-2')}`),
    expected: [
      ['question', 'q-2', /^its text for search differs from its document$/],
      ['item', 'it-2b', /^searches find it by other words than it has$/],
    ],
  },
  {
    name: 'a tag has a former place after its present one',
    apply: sql(`UPDATE former_place SET updated_at = 9000000000000 WHERE record_id = ${someTag}`),
    expected: [['tag', 'Hard', /^it had a former place at 9000000000000$/]],
  },
  {
    name: 'a tag took its own place',
    apply: sql(`UPDATE tag SET successor_id = id WHERE organisation_id = 1 AND name = 'Other'`),
    expected: [['tag', 'Other', /^the tag \w{26} took its place$/]],
  },
  {
    name: 'a tag set has lost a tag',
    apply: sql(
      `DELETE FROM tag_set WHERE organisation_id = 1 AND id = ${record('it-7', 'tag_set_id')} AND tag_id <> ${someTag}`,
    ),
    expected: [
      ['tag set', new RegExp(ID), /^it has the tags of \w{26}$/],
      ['item', 'it-7', /^it is found by the tag \w{26}$/],
    ],
  },
  {
    name: 'a tag is gone',
    apply: sql(`DELETE FROM tag WHERE organisation_id = 1 AND name = 'Alone'`),
    expected: [['tag set', new RegExp(ID), /^it has the tag \w{26}$/]],
  },
  {
    name: 'a record holds none of the records in its document',
    apply: sql(
      `UPDATE revision SET holding_id = NULL WHERE organisation_id = 1 AND record_id = ${record('it-8')}`,
      `UPDATE bank_record SET holding_id = NULL WHERE organisation_id = 1 AND reference = 'it-8'`,
    ),
    expected: [
      ['item', 'it-8', /^it holds nothing$/],
      ['item', 'it-8', /^searches find it by other words than it has$/],
    ],
  },
  {
    name: 'a record holds a record that does not exist',
    apply: sql(
      `UPDATE holding SET held_id = '${'0'.repeat(26)}' WHERE organisation_id = 1 AND id = ${record('it-9', 'holding_id')}`,
    ),
    expected: [
      ['holding', new RegExp(ID), /^its content has the id \w{26}$/],
      ['holding', new RegExp(ID), /^it holds 0{26}$/],
      ['item', 'it-9', /^it holds nothing$/],
      ['item', 'it-9', /^searches find it by other words than it has$/],
    ],
  },
  {
    name: 'a pool shows another document than it was filled with',
    apply: sql(
      `UPDATE pool_record SET document_id = ${record('it-4', 'document_id')} WHERE organisation_id = 1 AND reference = 'it-2b'`,
    ),
    expected: [
      ['item', 'it-2b', /^in the pool with the id \w{26} it equals no revision$/],
      ['pool', 'pool', /^its content has the SHA-256 /],
    ],
  },
  {
    name: 'a record of a pool is not found by its tags',
    apply: sql(`DELETE FROM pool_tag WHERE organisation_id = 1 AND record_id = ${record('it-1')}`),
    expected: [['item', 'it-1', /^in the pool with the id \w{26} it is found by other tags than it has$/]],
  },
  {
    name: 'a fill changed a record to a revision that does not exist',
    apply: sql(`UPDATE pool_change SET after_at = 5 WHERE organisation_id = 1 AND record_id = ${record('it-2b')}`),
    expected: [['item', 'it-2b', /^the fill 2 of the pool with the id \w{26} changed it from the revision null to 5$/]],
  },
  {
    name: 'the last fill of a pool has another hash',
    apply: sql(`UPDATE pool_fill SET content_hash = '${'0'.repeat(64)}' WHERE organisation_id = 1`),
    expected: [['pool', 'pool', /^its last fill has the SHA-256 0{64}$/]],
  },
  {
    name: 'a session has another score',
    apply: sql(`UPDATE session SET score = score + 1 WHERE organisation_id = 1 AND session_id = 's-1'`),
    expected: [['session', 's-1', /^its totals: /]],
  },
  {
    name: 'a session has another number of attempted questions',
    apply: sql(`UPDATE session SET num_attempted = 0 WHERE organisation_id = 1 AND session_id = 's-2'`),
    expected: [['session', 's-2', /^its totals: /]],
  },
  {
    name: 'a response has another score',
    apply: sql(work('s-3', 'responses', '"score":2', '"score":1')),
    expected: [
      ['session', 's-3', /^its totals: /],
      ['session', 's-3', /^its subscores: /],
      ['session', 's-3', /^its scores of the item "i-1": /],
    ],
  },
  {
    name: 'a subscore has changed',
    apply: sql(work('s-4', 'subscores', '"score":2', '"score":1')),
    expected: [['session', 's-4', /^its subscores: /]],
  },
  {
    name: 'a response is to another question',
    apply: sql(work('s-5', 'responses', '"question_reference":"other"', '"question_reference":"another"')),
    expected: [['session', 's-5', /^its items and responses differ from those of its form$/]],
  },
  {
    name: 'a session cannot be read',
    apply: sql(work('s-6', 'marks', '"each":[', '"each":[[')),
    expected: [['session', 's-6', /^its content cannot be read \(.+\)$/]],
  },
  {
    name: 'a session has no responses',
    apply: sql(`DELETE FROM session_work WHERE organisation_id = 1 AND id = ${session('s-7')}`),
    expected: [['session', 's-7', /^it has no row in session_work$/]],
  },
  {
    name: 'a session is not found by its tags',
    apply: sql(`DELETE FROM session_tag WHERE organisation_id = 1 AND id = ${session('s-8')}`),
    expected: [['session', 's-8', /^its tags in session_tag: $/]],
  },
  {
    name: 'the form of a session is gone',
    apply: sql(`DELETE FROM form WHERE organisation_id = 1 AND id = ${session('alone', 'form_id')}`),
    expected: [['session', 'alone', /^it was taken with the form \w{26}$/]],
  },
  {
    name: 'a session in a page has no form',
    apply: sql(`UPDATE attempt SET form_id = '${'0'.repeat(26)}' WHERE organisation_id = 1 AND session_id = 'page-1'`),
    expected: [['session in a page', 'page-1', /^it has the form 0{26}$/]],
  },
  {
    name: 'a session in a page cannot be read',
    apply: sql(`UPDATE attempt SET plan = '{' WHERE organisation_id = 1 AND session_id = 'page-2'`),
    expected: [['session in a page', 'page-2', /^its plan or checks cannot be read/]],
  },
  {
    name: 'a token belongs to another user',
    apply: sql(`UPDATE delivery_token SET user_id = 'x' WHERE organisation_id = 1 AND session_id = 'page-1'`),
    expected: [['token of a page', 'page-1', /^it belongs to another user than the session$/]],
  },
  {
    name: 'the form of an anonymous session is gone',
    apply: sql(
      `DELETE FROM form WHERE organisation_id = 1 AND id = ${columnOf('anonymous_session', 'form_id', '1 = 1')}`,
    ),
    expected: [['anonymous session', new RegExp(ID), /^it was taken with the form \w{26}$/]],
  },
  {
    name: 'a form lists something else',
    apply: sql(
      `UPDATE form SET definition = REPLACE(definition, '"difficulty":0', '"difficulty":1') WHERE organisation_id = 1 AND id = ${session('other', 'form_id')}`,
    ),
    expected: [['form', new RegExp(ID), /^its content has the id \w{26}$/]],
  },
  {
    name: 'a document has another hash than its forms record',
    apply: sql(`UPDATE document SET hash = '${'0'.repeat(64)}' WHERE id = ${record('c-1', 'document_id')}`),
    expected: [
      ['question', 'c-1', /^its document \w{26} has the SHA-256 [0-9a-f]{64}$/],
      ['form', new RegExp(ID), /^it lists the document \w{26} of organisation 1, which has the SHA-256 0{64}$/],
    ],
  },
  {
    name: 'a score was given by the rules of another document',
    apply: async (service) => {
      const [row] = await service.database.rows<{ hash: string }>(
        `SELECT hash FROM document WHERE organisation_id = 1 AND id = ${record('other', 'document_id')}`,
      );
      await sql(work('s-9', 'marks', row!.hash, '0'.repeat(64)))(service);
    },
    expected: [['session', 's-9', /^its response to "other": scored by the document with the SHA-256 0{64}$/]],
  },
  {
    name: 'an event is gone',
    apply: sql(`DELETE FROM event WHERE organisation_id = 1 AND number = 3`),
    expected: [['event number', '3', /^it is missing$/]],
  },
  {
    name: 'two events have one number',
    apply: sql(`UPDATE event SET number = 5 WHERE organisation_id = 1 AND number = 6`),
    expected: [
      ['event number', '5', /^the event \w{26} and another one have it$/],
      ['event number', '6', /^it is missing$/],
    ],
  },
  {
    name: 'the latest events are gone',
    apply: async (service) => {
      const [row] = await service.database.rows<{ last: number }>('SELECT MAX(number) AS last FROM event');
      await sql(`DELETE FROM event WHERE organisation_id = 1 AND number > ${row!.last - 2}`)(service);
    },
    expected: [['event number', /^\d+ to \d+$/, /^it is missing$/]],
  },
  {
    name: 'a job has an unknown status',
    apply: sql(`UPDATE job SET status = 'stuck' WHERE organisation_id = 1 AND id = ${job('fill-pool')}`),
    expected: [['job', new RegExp(ID), /^its status is stuck$/]],
  },
  {
    name: 'a job runs without a lease',
    apply: sql(
      `UPDATE job SET status = 'running', worker = NULL, completed_at = NULL, ${NEVER} WHERE organisation_id = 1 AND id = ${job('duplicate-activities')}`,
    ),
    expected: [['job', new RegExp(ID), /^it runs without a lease$/]],
  },
  {
    name: 'a job is completed and has no end',
    apply: sql(
      `UPDATE job SET completed_at = NULL, ${NEVER} WHERE organisation_id = 1 AND id = ${job('update-response-scores')}`,
    ),
    expected: [['job', new RegExp(ID), /^it is completed and has the end null$/]],
  },
  {
    name: 'an import names another revision than it made',
    apply: sql(`UPDATE import_record SET made_at = made_at + 1 WHERE organisation_id = 1 AND kind = 'item'`),
    expected: [['item', 'it-imported', /^the import \w{26} made its revision \d+$/]],
  },
  {
    name: 'a record had no such revision before an import',
    apply: sql(`UPDATE import_record SET before_at = 5 WHERE organisation_id = 1 AND kind = 'question'`),
    expected: [['question', 'q-imported', /^before the import \w{26} it had the revision 5$/]],
  },
  {
    name: 'an import has neither a plan nor a file',
    apply: sql(
      `UPDATE bank_import SET status = 'planned', plan = NULL WHERE organisation_id = 1`,
      `DELETE FROM import_file WHERE organisation_id = 1`,
    ),
    expected: [
      ['import', new RegExp(ID), /^it is planned and has no plan$/],
      ['import', new RegExp(ID), /^its file is not known$/],
    ],
  },
  {
    name: 'a file of a job is gone',
    apply: async (service) => {
      const [file] = await service.database.rows<{ job: string; id: string; name: string }>(
        `SELECT job_id AS job, id, file_name AS name FROM job_file WHERE file_name = 'test.csv'`,
      );
      const key = `jobs/${file!.job}/${file!.id}/${file!.name}`;
      await service.get(Files).remove({ area: 'private', owner: 1, key });
    },
    expected: [['file of a job', 'test.csv', /^it is not in the file store$/]],
  },
  {
    name: 'a file of a job has another size',
    apply: sql(`UPDATE job_file SET bytes = bytes + 1 WHERE organisation_id = 1 AND file_name = 'report.html'`),
    expected: [['file of a job', 'report.html', /^it has \d+ bytes$/]],
  },
  {
    name: 'nobody sees a saved view',
    apply: sql(`UPDATE saved_view SET owner = NULL WHERE reference = 'view-2'`),
    expected: [['saved view', 'view-2', /^nobody sees it$/]],
  },
  {
    name: 'the address of a saved view cannot be read',
    apply: sql(`UPDATE saved_view SET address = '[]' WHERE reference = 'view-1'`),
    expected: [['saved view', 'view-1', /^its address cannot be read$/]],
  },
  {
    name: 'a person has an unknown role',
    apply: sql(
      `UPDATE person_role SET role = 'owner' WHERE person_id = (SELECT id FROM person WHERE email = 'role@example.org')`,
    ),
    expected: [['role of a person', new RegExp(ID), /^the role owner$/]],
  },
  {
    name: 'a role belongs to nobody',
    apply: sql(`DELETE FROM person WHERE email = 'removed@example.org'`),
    expected: [['role of a person', new RegExp(ID), /^it belongs to nobody$/]],
  },
  {
    name: 'an answer of a marking round is at a stage that its marks contradict',
    apply: sql(`UPDATE marking_answer SET stage = 'third' WHERE organisation_id = 1 AND session_id = 's-1'`),
    expected: [['marking round', new RegExp(ID), /^the answer \w{26} is at the stage third with the score null$/]],
  },
  {
    name: 'a person marked an answer twice',
    apply: sql(`UPDATE marking_mark SET author_id = 'ann' WHERE organisation_id = 1 AND author_id = 'ben'`),
    expected: [['marking round', new RegExp(ID), /^the answer \w{26} has two marks of ann$/]],
  },
  {
    name: 'an answer that was marked is gone',
    apply: sql(`DELETE FROM marking_answer WHERE organisation_id = 1 AND session_id = 's-8'`),
    expected: [['marking round', new RegExp(ID), /^a mark belongs to the answer \w{26}, which does not exist$/]],
  },
  {
    name: 'an answer of a marking round has no session',
    apply: sql(`UPDATE marking_answer SET session_id = 'nowhere' WHERE organisation_id = 1 AND session_id = 'alone'`),
    expected: [['marking round', new RegExp(ID), /^the answer \w{26} belongs to a session that does not exist$/]],
  },
  {
    name: 'a marking round has an unknown status',
    apply: sql(
      `UPDATE marking_round SET status = 'lost' WHERE organisation_id = 1
       AND id NOT IN (SELECT round_id FROM marking_answer WHERE organisation_id = 1)`,
    ),
    expected: [['marking round', new RegExp(ID), /^its status is lost$/]],
  },
];
