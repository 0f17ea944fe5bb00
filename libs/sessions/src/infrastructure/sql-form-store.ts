import { Injectable } from '@nestjs/common';
import { Database, questionMarks } from '#platform';
import { FormStore } from '../application/ports/form-store';
import { type Form } from '../domain/form';

@Injectable()
export class SqlFormStore extends FormStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(organisation: number, ids: readonly string[]): Promise<Map<string, Form>> {
    const unique = [...new Set(ids)];
    if (unique.length === 0) return new Map();
    const rows = await this.database.rows<{ id: string; definition: string }>(
      `SELECT id, definition FROM form WHERE organisation_id = ? AND id IN (${questionMarks(unique.length)})`,
      [organisation, ...unique],
    );
    return new Map(rows.map(({ id, definition }) => [id, { id, ...(JSON.parse(definition) as Omit<Form, 'id'>) }]));
  }

  override async showing(
    organisation: number,
    { organisation: of, references }: { organisation: number; references: readonly string[] },
  ): Promise<string[]> {
    const rows = await this.database.rows<{ form_id: string }>(
      `SELECT DISTINCT form_id FROM form_item
       WHERE organisation_id = ? AND item_organisation_id = ? AND reference IN (${questionMarks(references.length)})
       ORDER BY form_id`,
      [organisation, of, ...references],
    );
    return rows.map(({ form_id }) => form_id);
  }

  override async keep(organisation: number, forms: readonly Form[]): Promise<void> {
    const inOrder = [...new Map(forms.map((form) => [form.id, form])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const { onDuplicate } = this.database.dialect;
    await this.database.insert(
      'form',
      ['organisation_id', 'id', 'definition'],
      inOrder.map(({ id, items, settings }) => [organisation, id, JSON.stringify({ items, settings })]),
      onDuplicate(['organisation_id', 'id'], []),
    );
    const key = ['organisation_id', 'item_organisation_id', 'reference', 'form_id'];
    await this.database.insert(
      'form_item',
      key,
      inOrder.flatMap(({ id, items }) => items.map((item) => [organisation, item.organisation, item.reference, id])),
      onDuplicate(key, []),
    );
  }
}
