import { Injectable } from '@nestjs/common';
import { PinnedContent } from '#content';
import { type JsonObject } from '#kernel';
import { definitionOf, type Form } from '../domain/form';
import { Forms } from './forms';
import { type SessionRecord } from './ports/session-reader';
import { documentsOf } from './response-scoring';

/** A question of a session, from the document by which its scores are computed. */
export interface SessionQuestion {
  reference: string;
  item: string;
  /** SHA-256 of its document. */
  hash: string;
  /** Null when it belongs to a bank that the caller may not read. */
  definition: (JsonObject & { type: string }) | null;
}

/** Reads the questions of sessions, with their keys. */
@Injectable()
export class SessionQuestions {
  constructor(
    private readonly forms: Forms,
    private readonly content: PinnedContent,
  ) {}

  /**
   * The questions of each session, by internal id, in the order of its responses. Sessions with the same questions
   * share one list.
   * @param readable organisations whose content may be shown.
   */
  async of(
    organisation: number,
    sessions: readonly SessionRecord[],
    readable: ReadonlySet<number>,
  ): Promise<Map<string, SessionQuestion[]>> {
    const forms = await this.forms.of(
      organisation,
      sessions.map(({ formId }) => formId),
    );
    const definitions = await this.definitions([...forms.values()], readable);
    const lists = new Map<string, SessionQuestion[]>();
    for (const [id, { items }] of forms)
      lists.set(
        id,
        items.flatMap(({ reference: item, questions }) =>
          questions.map(({ reference, hash, document }) => {
            return { reference, item, hash, definition: definitions.get(document) ?? null };
          }),
        ),
      );
    return new Map(sessions.map(({ id, formId }) => [id, lists.get(formId) ?? []]));
  }

  private async definitions(forms: readonly Form[], readable: ReadonlySet<number>) {
    const questions = forms.flatMap(({ items }) => items.flatMap((item) => item.questions));
    const documents = documentsOf(questions.filter(({ organisation }) => readable.has(organisation)));
    const definitions = new Map<string, JsonObject & { type: string }>();
    for (const [organisation, ids] of documents)
      for (const [id, { body }] of await this.content.documents(organisation, ids))
        definitions.set(id, definitionOf(body));
    return definitions;
  }
}
