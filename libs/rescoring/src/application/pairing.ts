import { Injectable } from '@nestjs/common';
import { PinnedContent } from '#content';
import { type Form, type FormItem, Forms } from '#sessions';
import { type NewQuestion, pairedWith, type QuestionRules, type Replacements } from '../domain/rescoring';

/** The effect of rules on a form: new questions for its item, or the reason why they do not fit. */
export type Paired =
  | { form: Form; replacements: Replacements }
  /** `item`: its reference in the form. */
  | { item: string; why: string };

/** Finds the item of a rescoring in forms, under any former reference, and pairs its questions with the new ones. */
@Injectable()
export class Pairing {
  constructor(
    private readonly content: PinnedContent,
    private readonly forms: Forms,
  ) {}

  /** The result for each form that contains the item, by the id of the form. */
  async of(organisation: number, formIds: readonly string[], rules: QuestionRules): Promise<Map<string, Paired>> {
    const { item: wanted } = rules;
    const [forms, { documents }] = await Promise.all([
      this.forms.of(organisation, formIds),
      this.content.pastOf(wanted.organisation, wanted.record),
    ]);
    const found = new Map<string, Paired>();
    for (const [id, form] of forms) {
      const replacements = new Map<FormItem, readonly NewQuestion[]>();
      for (const item of form.items) {
        // A document belongs to one record only.
        if (item.organisation !== wanted.organisation || !documents.has(item.document)) continue;
        const paired = pairedWith(item, rules);
        if (typeof paired === 'string') {
          found.set(id, { item: item.reference, why: paired });
          break;
        }
        replacements.set(item, paired);
        found.set(id, { form, replacements });
      }
    }
    return found;
  }
}
