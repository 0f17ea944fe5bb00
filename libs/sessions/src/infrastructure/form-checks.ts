import { Injectable } from '@nestjs/common';
import { PinnedContent } from '#content';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { type Form, formOf } from '../domain/form';

interface FormRow {
  id: string;
  definition: string;
}

/** A document in a form. */
interface Named {
  form: string;
  document: string;
  organisation: number;
  hash: string;
}

/** Checks forms: the id matches the content, and all documents exist. */
@Injectable()
export class FormChecks {
  constructor(
    private readonly database: Database,
    private readonly content: PinnedContent,
    verifications: Verifications,
  ) {
    verifications.add({
      name: 'forms',
      of: { table: 'form', column: 'id', batchSize: 50 },
      find: (range) => this.forms(range),
    });
  }

  private async forms(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('f', 'id');
    const rows = await this.database.rows<FormRow>(`SELECT f.id, f.definition FROM form f WHERE ${sql}`, parameters);
    const findings: NewFinding[] = [];
    const named: Named[] = [];
    for (const row of rows) {
      const form = formIn(row);
      if (form?.id !== row.id)
        findings.push({
          kind: 'form',
          reference: row.id,
          found: `its content has the id ${form?.id ?? 'of no form'}`,
          expected: 'its own id',
        });
      for (const { questions, ...item } of form?.items ?? [])
        named.push(...[item, ...questions].map((each) => ({ ...each, form: row.id })));
    }
    return [...findings, ...(await this.unknown(named))];
  }

  private async unknown(named: readonly Named[]): Promise<NewFinding[]> {
    const hashes = new Map<number, Map<string, string>>();
    for (const organisation of new Set(named.map((each) => each.organisation))) {
      const ids = named.flatMap((each) => (each.organisation === organisation ? [each.document] : []));
      hashes.set(organisation, await this.content.hashes(organisation, ids));
    }
    return named.flatMap(({ form, document, organisation, hash }) => {
      const actual = hashes.get(organisation)!.get(document);
      if (actual === hash) return [];
      const where = `the document ${document} of organisation ${organisation}`;
      return [
        {
          kind: 'form',
          reference: form,
          found: `it lists ${where}, which ${actual === undefined ? 'does not exist' : `has the SHA-256 ${actual}`}`,
          expected: `a document with the SHA-256 ${hash}`,
        },
      ];
    });
  }
}

/** The form in a row; undefined when the row contains no valid form. */
function formIn({ definition }: FormRow): Form | undefined {
  try {
    const { items, settings } = JSON.parse(definition) as Omit<Form, 'id'>;
    // Throws when `questions` is not a list.
    for (const { questions } of items) questions.at(0);
    return formOf(items, settings);
  } catch {
    return undefined;
  }
}
