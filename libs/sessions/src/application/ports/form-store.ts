import { type Form } from '../../domain/form';

export abstract class FormStore {
  /** Forms by their ids. */
  abstract find(organisation: number, ids: readonly string[]): Promise<Map<string, Form>>;

  /** The forms that show an item of one of these references: their ids. */
  abstract showing(
    organisation: number,
    items: { organisation: number; references: readonly string[] },
  ): Promise<string[]>;

  /** Keeps forms; those that are there already stay as they are. */
  abstract keep(organisation: number, forms: readonly Form[]): Promise<void>;
}
