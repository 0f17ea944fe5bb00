import { Injectable } from '@nestjs/common';
import { type BaseTemplate, checkBaseTemplates, checkPlayerTemplates, type PlayerTemplate } from '../domain/template';
import { TemplateStore } from './ports/template-store';

/** Player templates and base templates of an organisation, sorted by reference. Writes need a unit of work. */
@Injectable()
export class Templates {
  constructor(private readonly store: TemplateStore) {}

  async playerTemplates(organisation: number): Promise<PlayerTemplate[]> {
    return this.store.playerTemplates(organisation);
  }

  async baseTemplates(organisation: number): Promise<BaseTemplate[]> {
    return this.store.baseTemplates(organisation);
  }

  /** Creates or replaces the templates. Others stay. */
  async putPlayerTemplates(organisation: number, templates: readonly PlayerTemplate[]): Promise<void> {
    checkPlayerTemplates(templates);
    await this.store.putPlayerTemplates(organisation, templates);
  }

  /** Creates or replaces the templates. Others stay. */
  async putBaseTemplates(organisation: number, templates: readonly BaseTemplate[]): Promise<void> {
    checkBaseTemplates(templates);
    await this.store.putBaseTemplates(organisation, templates);
  }

  async removePlayerTemplates(organisation: number, references: readonly string[]): Promise<void> {
    await this.store.removePlayerTemplates(organisation, references);
  }

  async removeBaseTemplates(organisation: number, references: readonly string[]): Promise<void> {
    await this.store.removeBaseTemplates(organisation, references);
  }
}
