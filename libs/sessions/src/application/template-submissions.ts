import { Injectable } from '@nestjs/common';
import { Authors } from '#access';
import { type FaultDetail, Faults, type JsonObject, place, type Scope, throwAny, UnitOfWork } from '#kernel';
import { type Packet, readAnswer } from '../domain/answers';
import { type Submission, type SubmittedResponse } from '../domain/submission';
import { Forms } from './forms';
import { repeatedSessions } from './repeated-sessions';
import { Submissions } from './submissions';
import { ITEMS_API_VERSION } from './template-view';
import { type VerifiedTemplate, VerifiedTemplates } from './verified-templates';

/** A learner's answers to the questions of a template. */
interface TemplateEntry {
  sessionId: string;
  userId: string;
  activityId: string;
  responses: readonly (Packet & { questionId: string })[];
}

interface TemplateSubmission {
  /** As `sessions/templates` returned it. */
  template: JsonObject;
  entries: readonly TemplateEntry[];
  ignoreRevisions: boolean;
}

const TEMPLATE_AT = '/template';

/** Saves sessions that callers submit together with their template. */
@Injectable()
export class TemplateSubmissions {
  constructor(
    private readonly templates: VerifiedTemplates,
    private readonly forms: Forms,
    private readonly submissions: Submissions,
    private readonly authors: Authors,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Checks everything, then starts the job that saves the sessions; returns its reference.
   * @throws Fault from `VerifiedTemplates.verified`, and with all wrong answers and names: 30001 for unknown questions,
   * 20001, 20003 and 20004 for invalid answers, 30000 for a second answer to a question and for repeated sessions.
   */
  async start({ template, entries, ignoreRevisions }: TemplateSubmission, scope: Scope): Promise<string> {
    throwAny(repeatedSessions(entries.map(({ sessionId }, index) => ({ sessionId, at: `/data/${index}/session_id` }))));
    const verified = await this.templates.verified(template, TEMPLATE_AT, scope);
    const faults = new Faults();
    const submissions = entries.map((entry, index) =>
      submissionOf(entry, verified, `/data/${index}`, scope.now, faults),
    );
    faults.throwAny();
    const { organisation } = scope.shelf;
    const kept = await this.forms.of(organisation, [verified.form.id]);
    return this.work.run(async () => {
      await this.authors.ensure(scope);
      if (kept.size === 0) await this.forms.keep(organisation, [verified.form]);
      return this.submissions.start({ submissions, ignoreRevisions }, scope);
    });
  }
}

function submissionOf(
  { sessionId, userId, activityId, responses }: TemplateEntry,
  { form, activity, subscores, questions }: VerifiedTemplate,
  at: string,
  now: number,
  faults: Faults,
): Submission {
  const answered = new Map<string, string>();
  const submitted = responses.flatMap((packet, index): SubmittedResponse[] => {
    const packetAt = `${at}/responses/${index}`;
    const idAt = `${packetAt}/question_id`;
    const { questionId } = packet;
    const question = questions.get(questionId);
    const refuse = (kind: FaultDetail['kind'], why: string): [] => {
      faults.add(kind, `${place(idAt)} ${why}.`, idAt);
      return [];
    };
    if (!question) {
      const [id] = [...questions].find(([, { reference }]) => reference === questionId) ?? [];
      return refuse(
        'reference-unknown',
        id === undefined
          ? 'is the id of no question of the template; send an id from template.questions'
          : `is the reference of a question; send its id from template.questions, ${JSON.stringify(id)}`,
      );
    }
    const before = answered.get(questionId);
    if (before !== undefined) return refuse('duplicate', `is that of ${place(before)} too; answer a question once`);
    answered.set(questionId, idAt);
    const response = faults.collect(() => readAnswer(packet, question, packetAt));
    if (!response) return [];
    const { item, reference } = question;
    return [
      {
        responseId: `${sessionId}_${questionId}`,
        item,
        question: reference,
        response: { ...response, apiVersion: ITEMS_API_VERSION },
        revision: 1,
      },
    ];
  });
  return {
    sessionId,
    userId,
    activityId,
    activityTemplateId: activity,
    status: 'Completed',
    startedAt: now,
    completedAt: now,
    form: form.id,
    items: form.items.map(({ reference, organisation }) => ({ reference, organisation })),
    responses: submitted,
    subscores,
    metadata: { activity_template_id: activity, items_api_version: ITEMS_API_VERSION },
    tags: null,
    adaptive: null,
    customState: null,
  };
}
