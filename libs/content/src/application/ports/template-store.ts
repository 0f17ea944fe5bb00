import { type BaseTemplate, type PlayerTemplate } from '../../domain/template';

/** Templates of an organisation. Lists are sorted by reference; references compare byte for byte. */
export abstract class TemplateStore {
  abstract playerTemplates(organisation: number): Promise<PlayerTemplate[]>;

  /** Stores the templates in place of those with the same references; the others stay. */
  abstract putPlayerTemplates(organisation: number, templates: readonly PlayerTemplate[]): Promise<void>;

  /** Those that do not exist are none the less gone. */
  abstract removePlayerTemplates(organisation: number, references: readonly string[]): Promise<void>;

  abstract baseTemplates(organisation: number): Promise<BaseTemplate[]>;

  /** As of player templates. */
  abstract putBaseTemplates(organisation: number, templates: readonly BaseTemplate[]): Promise<void>;

  /** As of player templates. */
  abstract removeBaseTemplates(organisation: number, references: readonly string[]): Promise<void>;
}
