import { Injectable } from '@nestjs/common';
import { isObject, type Json, parsedJson } from '#kernel';
import { LiveSessions } from '#sessions';
import { asStored, DeliveredContent } from './delivered-content';
import { AttemptStore } from './ports/attempt-store';

/**
 * Converts sessions that a page exports as text after failed submissions. Pages know neither question ids nor authored
 * positions.
 */
@Injectable()
export class PageTexts {
  constructor(
    private readonly store: AttemptStore,
    private readonly sessions: LiveSessions,
    private readonly delivered: DeliveredContent,
  ) {}

  /**
   * The document with the references of items and questions, and with authored positions. Returns a document from
   * elsewhere unchanged.
   */
  async named(organisation: number, text: string): Promise<string> {
    const document = parsedJson(text);
    if (!isObject(document) || !Array.isArray(document.responses)) return text;
    const unnamed = (response: Json) => isObject(response) && response.question_reference === undefined;
    if (typeof document.session_id !== 'string' || !document.responses.some(unnamed)) return text;
    const attempt = await this.store.find(organisation, document.session_id);
    if (!attempt || attempt.userId !== document.user_id) return text;
    const session = await this.sessions.find(organisation, attempt.sessionId);
    const questions = await this.delivered.questions(await this.delivered.taken(organisation, attempt, session));
    const byId = new Map(questions.map((shown) => [shown.responseId, shown]));
    const responses = document.responses.map((response): Json => {
      if (!isObject(response) || !unnamed(response) || typeof response.response_id !== 'string') return response;
      const shown = byId.get(response.response_id);
      if (!shown) return response;
      const { item, question, presentation } = shown;
      const names = { item_reference: item.reference, question_reference: question.reference };
      return { ...asStored(response, presentation), ...names };
    });
    return JSON.stringify({ ...document, responses });
  }
}
