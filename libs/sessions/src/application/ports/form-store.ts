import { type Form } from '../../domain/form';

export abstract class FormStore {
  /** Forms by their ids. */
  abstract find(organisation: number, ids: readonly string[]): Promise<Map<string, Form>>;

  /** Those of the forms that show one of these items: their ids. */
  abstract showing(organisation: number, item: { organisation: number; reference: string }): Promise<string[]>;

  /** Keeps forms; those that are there already stay as they are. */
  abstract keep(organisation: number, forms: readonly Form[]): Promise<void>;
}
