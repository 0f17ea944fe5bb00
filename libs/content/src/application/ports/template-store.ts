import { type BaseTemplate, type PlayerTemplate } from '../../domain/template';

/** Templates of an organisation, sorted by reference. References compare byte for byte. */
export abstract class TemplateStore {
  abstract playerTemplates(organisation: number): Promise<PlayerTemplate[]>;

  /** Creates the templates, or replaces those with the same references. Others stay. */
  abstract putPlayerTemplates(organisation: number, templates: readonly PlayerTemplate[]): Promise<void>;

  /** Ignores templates that do not exist. */
  abstract removePlayerTemplates(organisation: number, references: readonly string[]): Promise<void>;

  abstract baseTemplates(organisation: number): Promise<BaseTemplate[]>;

  /** Like `putPlayerTemplates`. */
  abstract putBaseTemplates(organisation: number, templates: readonly BaseTemplate[]): Promise<void>;

  /** Like `removePlayerTemplates`. */
  abstract removeBaseTemplates(organisation: number, references: readonly string[]): Promise<void>;
}
