import { isFormer, type PinnedContent } from '#content';
import { choicesOf } from '#scoring';
import { type AnsweredSession, definitionOf, type FormItem, type FormQuestion, type Forms, itemKey } from '#sessions';
import { type Answered } from '../domain/analysis/question-tally';
import { KnownItem } from './targets';

/** Prepares sessions for the analysis: combines each answer with the choices that the learner had. */
export class AnsweredQuestions {
  /** The choices by the id of the question's document; empty for a question with free answers. */
  private readonly choices = new Map<string, Pick<Answered, 'choices' | 'version'>>();

  /** The items that were once called by the reference in the key, under their present references. */
  private readonly renamed = new Map<string, KnownItem[]>();

  /** @param target the analysed item. Its questions are marked. */
  constructor(
    private readonly organisation: number,
    private readonly forms: Forms,
    private readonly content: PinnedContent,
    private readonly target?: KnownItem,
  ) {}

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
    await this.learnNames([...forms.values()].flatMap(({ items }) => items));
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
    const now = this.renamed.get(itemKey(item))?.find((known) => known.is(item));
    return { item: now?.reference ?? item.reference };
  }

  /** Reads the present names of new items. */
  private async learnNames(items: readonly FormItem[]): Promise<void> {
    const unknown = new Map<number, Set<string>>();
    for (const item of items) {
      if (this.renamed.has(itemKey(item))) continue;
      this.renamed.set(itemKey(item), []);
      const references = unknown.get(item.organisation) ?? new Set();
      unknown.set(item.organisation, references.add(item.reference));
    }
    for (const [organisation, references] of unknown)
      for (const [reference, names] of await this.content.itemsOnceCalled(organisation, [...references]))
        for (const id of names)
          this.renamed
            .get(itemKey({ organisation, reference }))
            ?.push(await KnownItem.of({ organisation, id }, this.content));
  }

  /** Reads the choices of new questions. */
  private async learn(questions: readonly FormQuestion[]): Promise<void> {
    const unknown = new Map<number, Set<string>>();
    for (const { document, organisation } of questions) {
      if (this.choices.has(document)) continue;
      const documents = unknown.get(organisation);
      if (documents) documents.add(document);
      else unknown.set(organisation, new Set([document]));
    }
    for (const [organisation, documents] of unknown) {
      const found = await this.content.documents(organisation, [...documents]);
      for (const id of documents) {
        const pinned = found.get(id);
        const definition = pinned && definitionOf(pinned.body);
        const choices = definition && choicesOf(definition.type, definition);
        // The bank has later versions than those that came with sessions of another server.
        this.choices.set(id, choices ? { choices, version: isFormer(pinned) ? '' : id } : {});
      }
    }
  }
}
