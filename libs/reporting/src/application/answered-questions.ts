import { grouped } from '#kernel';
import { isFormer, type PinnedContent } from '#content';
import { choicesOf } from '#scoring';
import {
  type AnsweredSession,
  definitionOf,
  type FormItem,
  type FormQuestion,
  type Forms,
  type KnownItem,
  PresentNames,
} from '#sessions';
import { type Answered } from '../domain/analysis/question-tally';

/** Prepares sessions for the analysis: combines each answer with the choices that the learner had. */
export class AnsweredQuestions {
  /** The choices by the id of the question's document; empty for a question with free answers. */
  private readonly choices = new Map<string, Pick<Answered, 'choices' | 'version'>>();

  private readonly names: PresentNames;

  /** @param target the analysed item. Its questions are marked. */
  constructor(
    private readonly organisation: number,
    private readonly forms: Forms,
    private readonly content: PinnedContent,
    private readonly target?: KnownItem,
  ) {
    this.names = new PresentNames(content);
  }

  async of(sessions: readonly AnsweredSession[]): Promise<Answered[][]> {
    const forms = await this.forms.of(
      this.organisation,
      sessions.map(({ formId }) => formId),
    );
    const questions = new Map<string, { item: FormItem; question: FormQuestion }[]>();
    for (const [id, { items }] of forms)
      questions.set(
        id,
        items.flatMap((item) => item.questions.map((question) => ({ item, question }))),
      );
    await this.learn([...questions.values()].flat().map(({ question }) => question));
    await this.names.learn([...forms.values()].flatMap(({ items }) => items));
    return sessions.map(({ formId, responses }) =>
      responses.map((response, place): Answered => {
        const asked = questions.get(formId)?.[place];
        return {
          ...response,
          organisation: asked?.item.organisation ?? this.organisation,
          ...(asked && this.choices.get(asked.question.document)),
          ...(asked && this.named(asked.item)),
        };
      }),
    );
  }

  /** Sessions name an item as it was called then. Analyses name it as it is called now, and so count it once. */
  private named(item: FormItem): Pick<Answered, 'item' | 'ofTarget'> {
    if (this.target?.is(item)) return { item: this.target.reference, ofTarget: true };
    return { item: this.names.of(item) };
  }

  /** Reads the choices of new questions. */
  private async learn(questions: readonly FormQuestion[]): Promise<void> {
    const unknown = questions.filter(({ document }) => !this.choices.has(document));
    for (const [organisation, ids] of grouped(unknown.map((question) => [question.organisation, question.document]))) {
      const found = await this.content.documents(organisation, ids);
      for (const id of new Set(ids)) {
        const pinned = found.get(id);
        const definition = pinned && definitionOf(pinned.body);
        const choices = definition && choicesOf(definition.type, definition);
        // The bank has later versions than those that came with sessions of another server.
        this.choices.set(id, choices ? { choices, version: isFormer(pinned) ? '' : id } : {});
      }
    }
  }
}
