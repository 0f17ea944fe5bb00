import { Injectable } from '@nestjs/common';
import { isObject, type Json, type JsonObject } from '#kernel';
import { LiveSessions } from '#sessions';
import { asStored, DeliveredContent } from './delivered-content';
import { AttemptStore } from './ports/attempt-store';

/**
 * Completes the sessions that pages give to learners as text after failed submissions. Pages know neither the references of
 * questions nor the authored positions.
 */
@Injectable()
export class PageTexts {
  constructor(
    private readonly store: AttemptStore,
    private readonly sessions: LiveSessions,
    private readonly delivered: DeliveredContent,
  ) {}

  /**
   * The session with the references of items and questions, and with authored positions. Returns any other document
   * unchanged.
   */
  async named(organisation: number, document: JsonObject): Promise<JsonObject> {
    if (!Array.isArray(document.responses)) return document;
    const unnamed = (response: Json) => isObject(response) && response.question_reference === undefined;
    if (typeof document.session_id !== 'string' || !document.responses.some(unnamed)) return document;
    const attempt = await this.store.find(organisation, document.session_id);
    if (!attempt || attempt.userId !== document.user_id) return document;
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
    return { ...document, responses };
  }
}
