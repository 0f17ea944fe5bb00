import { type FaultDetail, place } from '#kernel';
import { type Session, type SessionResponse } from './session';

/** A person's score of a response. Absent members leave the stored value unchanged. */
export interface GivenScore {
  responseId: string;
  /** Points; null withdraws the person's score, so that the score of the engine holds again. */
  score?: number | null;
  maxScore?: number;
  attempted?: boolean;
  /** The part of the score that a person gave, and its maximum; null for none. */
  manualScore?: number | null;
  maxManualScore?: number | null;
}

/** The author and the time of given scores. */
interface Giver {
  /** Milliseconds since 1970. */
  now: number;
  /** Id of the author; null when the call names none. */
  author: string | null;
  job: string;
  /** The marking round that settled on the scores; absent outside of rounds. */
  round?: string;
}

/**
 * Finds what is wrong with scores for the responses of a session: unknown or repeated responses, points without an
 * attempt, and points above the maximum.
 * @param at JSON pointer to the session in the request.
 */
export function wrongScores(
  { sessionId, responses }: Pick<Session, 'sessionId' | 'responses'>,
  given: readonly GivenScore[],
  at: string,
): FaultDetail[] {
  const known = new Map(responses.map((response) => [response.responseId, response]));
  const first = new Map<string, number>();
  return given.flatMap((score, index): FaultDetail[] => {
    const { responseId } = score;
    const own = `${at}/responses/${index}`;
    const fault = (kind: FaultDetail['kind'], member: string, message: string): FaultDetail => ({
      kind,
      message: `${place(`${own}/${member}`)} ${message}`,
      at: `${own}/${member}`,
    });
    const before = first.get(responseId);
    if (before !== undefined)
      return [fault('duplicate', 'response_id', `is the same as of ${place(`${at}/responses/${before}`)}.`)];
    first.set(responseId, index);
    const response = known.get(responseId);
    if (!response)
      return [
        fault(
          'reference-unknown',
          'response_id',
          `is none of the session ${JSON.stringify(sessionId)}: it has no response ${JSON.stringify(responseId)}.`,
        ),
      ];
    return contradictions(response, score).map(([member, message]) => fault('value', member, message));
  });
}

/** Members of a score that contradict each other or the stored response, each with the message of its fault. */
function contradictions(response: SessionResponse, given: GivenScore): [member: string, message: string][] {
  const found: [string, string][] = [];
  if (given.score === null) {
    for (const [member, value] of [
      ['max_score', given.maxScore],
      ['manual_score', given.manualScore],
      ['max_manual_score', given.maxManualScore],
    ] as const)
      if (typeof value === 'number')
        found.push([member, `is ${value}, but score is null, which takes back all that persons gave; leave it out.`]);
    return found;
  }
  const { score, maxScore, attempted, manualScore, maxManualScore } = factsAfter(response, given);
  // A caller who gives points also has to declare the attempt.
  const saysSo = given.score === undefined ? attempted : given.attempted === true;
  if (score !== null && score !== 0 && !saysSo)
    found.push(['attempted', `must be true for a score of ${score}: a response without an attempt has the score 0.`]);
  if (given.maxScore !== undefined && score !== null && score > maxScore)
    found.push(['max_score', `is ${maxScore}, below the score of ${score}.`]);
  if (manualScore !== null && maxManualScore !== null && manualScore > maxManualScore)
    found.push(
      typeof given.manualScore === 'number'
        ? ['manual_score', `is ${manualScore}; it can be at most max_manual_score, ${maxManualScore}.`]
        : ['max_manual_score', `is ${maxManualScore}, below the manual_score of ${manualScore}.`],
    );
  return found;
}

type Facts = Pick<SessionResponse, 'score' | 'maxScore' | 'attempted' | 'manualScore' | 'maxManualScore'>;

function factsAfter(response: SessionResponse, { score, manualScore, maxManualScore, ...given }: GivenScore): Facts {
  return {
    score: score ?? response.score,
    maxScore: given.maxScore ?? response.maxScore,
    attempted: given.attempted ?? response.attempted,
    manualScore: manualScore === undefined ? response.manualScore : manualScore,
    maxManualScore: maxManualScore === undefined ? response.maxManualScore : maxManualScore,
  };
}

/**
 * Applies a person's scores to the responses of a session. Also returns the places of the withdrawn scores, which the
 * engine has to score again. A score that equals the stored one leaves the response unchanged.
 * @param given scores that passed `wrongScores`.
 */
export function withScores(
  { responses }: Pick<Session, 'responses'>,
  given: readonly GivenScore[],
  giver: Giver,
): { responses: SessionResponse[]; takenBack: number[] } {
  const byId = new Map(given.map((score) => [score.responseId, score]));
  const takenBack: number[] = [];
  const after = responses.map((response, at) => {
    const score = byId.get(response.responseId);
    if (!score) return response;
    if (score.score !== null) return scoredBy(response, score, giver);
    if (response.mark.by === 'person') takenBack.push(at);
    return response;
  });
  return { responses: after, takenBack };
}

function scoredBy(response: SessionResponse, given: GivenScore, { now, author, job, round }: Giver): SessionResponse {
  const facts = factsAfter(response, given);
  const { mark } = response;
  const same = (Object.keys(facts) as (keyof Facts)[]).every((name) => facts[name] === response[name]);
  // The same points from another person count as a new score by that person.
  const isTheirs =
    given.score === undefined || (mark.by === 'person' && mark.author === author && mark.round === round);
  if (same && isTheirs) return response;
  const moved = facts.score !== response.score;
  return {
    ...response,
    ...facts,
    scoredAt: moved ? now : response.scoredAt,
    mark: {
      by: 'person',
      engine: null,
      outcome: null,
      definition: mark.definition,
      author,
      job,
      ...(round === undefined ? {} : { round }),
      changedAt: now,
      ...(moved && response.scoredAt !== null
        ? { before: response.score }
        : mark.before === undefined
          ? {}
          : { before: mark.before }),
    },
  };
}
