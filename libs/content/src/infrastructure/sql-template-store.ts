import { Injectable } from '@nestjs/common';
import { Database } from '#platform';
import { TemplateStore } from '../application/ports/template-store';
import { type BaseTemplate, type PlayerTemplate } from '../domain/template';

/** The members of a template are the columns of its table. */
const MEMBERS = {
  player_template: ['reference', 'name', 'json'],
  base_template: ['reference', 'description', 'status', 'data'],
} as const;

type Table = keyof typeof MEMBERS;
type Row<T extends Table> = { reference: string } & Record<(typeof MEMBERS)[T][number], string>;

@Injectable()
export class SqlTemplateStore extends TemplateStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async playerTemplates(organisation: number): Promise<PlayerTemplate[]> {
    return this.all('player_template', organisation);
  }

  override async putPlayerTemplates(organisation: number, templates: readonly PlayerTemplate[]): Promise<void> {
    await this.put('player_template', organisation, templates);
  }

  override async removePlayerTemplates(organisation: number, references: readonly string[]): Promise<void> {
    await this.remove('player_template', organisation, references);
  }

  override async baseTemplates(organisation: number): Promise<BaseTemplate[]> {
    return (await this.all('base_template', organisation)) as BaseTemplate[];
  }

  override async putBaseTemplates(organisation: number, templates: readonly BaseTemplate[]): Promise<void> {
    await this.put('base_template', organisation, templates);
  }

  override async removeBaseTemplates(organisation: number, references: readonly string[]): Promise<void> {
    await this.remove('base_template', organisation, references);
  }

  private async all<T extends Table>(table: T, organisation: number): Promise<Row<T>[]> {
    return this.database.rows<Row<T>>(
      `SELECT ${MEMBERS[table].join(', ')} FROM ${table} WHERE organisation_id = ? ORDER BY reference`,
      [organisation],
    );
  }

  private async put<T extends Table>(table: T, organisation: number, templates: readonly Row<T>[]): Promise<void> {
    const members: readonly (keyof Row<T>)[] = MEMBERS[table];
    await this.database.insert(
      table,
      ['organisation_id', ...MEMBERS[table]],
      [...templates]
        .sort((a, b) => (a.reference < b.reference ? -1 : 1))
        .map((template) => [organisation, ...members.map((member) => template[member])]),
      this.database.dialect.onDuplicate(['organisation_id', 'reference'], MEMBERS[table].slice(1)),
    );
  }

  private async remove(table: Table, organisation: number, references: readonly string[]): Promise<void> {
    const condition = { sql: 'organisation_id = ?', parameters: [organisation] };
    await this.database.remove(table, condition, 'reference', references);
  }
}
