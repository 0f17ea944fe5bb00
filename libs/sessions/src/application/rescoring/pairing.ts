import { Injectable } from '@nestjs/common';
import { PinnedContent } from '#content';
import { type Form, type FormItem } from '../../domain/form';
import { type NewQuestion, pairedWith, type QuestionRules, type Replacements } from '../../domain/rescoring';
import { Forms } from '../forms';

/** What rules do to a form: its item gets these questions, or cannot get them. */
export type Paired =
  | { form: Form; replacements: Replacements }
  /** `item`: what the form calls it. */
  | { item: string; why: string };

/** Finds the item of a rescoring in forms, whatever it was called, and pairs its questions with those to score by. */
@Injectable()
export class Pairing {
  constructor(
    private readonly content: PinnedContent,
    private readonly forms: Forms,
  ) {}

  /** For each of the forms that contains the item, by its id. */
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
        // A document is of one record only.
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
