import { type Form } from '../../domain/form';

export abstract class FormStore {
  /** The forms with these ids. */
  abstract find(organisation: number, ids: readonly string[]): Promise<Map<string, Form>>;

  /** The ids of forms that contain an item with one of these references. */
  abstract showing(
    organisation: number,
    items: { organisation: number; references: readonly string[] },
  ): Promise<string[]>;

  /** Adds forms; existing ones stay unchanged. */
  abstract keep(organisation: number, forms: readonly Form[]): Promise<void>;
}
