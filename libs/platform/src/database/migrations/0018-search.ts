import { type Dialect } from '../dialect';
import { migration } from './migration';

/** Full-text search over items. Existing items wait in `search_pending` until a process has indexed them. */
export const search = migration('Search1796800000000', (dialect) => {
  const {
    types: { id, integer, long },
    tableOptions,
  } = dialect;
  const { key, statements } = dialect.fullTextIndex('search_text', ['organisation_id', 'record_id'], 'words');
  return [
    // The plain text of the present document of an item, question or feature.
    `CREATE TABLE record_text (
      organisation_id ${integer} NOT NULL,
      record_id ${id} NOT NULL,
      text ${long} NOT NULL,
      PRIMARY KEY (organisation_id, record_id)
    ) ${tableOptions(false)}`,
    // The words of an item and of its questions and features, in ASCII.
    `CREATE TABLE search_text (
      organisation_id ${integer} NOT NULL,
      record_id ${id} NOT NULL,
      words ${long} NOT NULL,
      ${key}
    ) ${tableOptions(false)}`,
    ...statements,
    // Items whose row in search_text is missing or outdated.
    ...pending(dialect),
  ];
});

function pending({ types: { id, integer }, tableOptions }: Dialect): string[] {
  return [
    `CREATE TABLE search_pending (
      organisation_id ${integer} NOT NULL,
      record_id ${id} NOT NULL,
      PRIMARY KEY (organisation_id, record_id)
    ) ${tableOptions(true)}`,
    `INSERT INTO search_pending (organisation_id, record_id)
      SELECT organisation_id, id FROM bank_record WHERE kind = 'item'`,
  ];
}
