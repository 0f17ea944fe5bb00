/**
 * How an import treats a part of the source that the bank cannot store unchanged.
 * `lost`: it is gone. `approximated`: something similar stands in its place. `kept aside`: it is stored beside the item, unused.
 */
export type Severity = 'lost' | 'approximated' | 'kept aside';

/** The change for learners. `score`: some response earns other points. `nothing`: learners see and earn the same. */
type Consequence = 'score' | 'content' | 'look' | 'nothing';

interface Kind {
  severity: Severity;
  consequence: Consequence;
  /** The sentence for people. `was` describes the part of the source. */
  text: (was: string) => string;
  /** The action that a person can take. */
  remedy: string;
}

const kind = (severity: Severity, consequence: Consequence, text: Kind['text'], remedy: string): Kind => ({
  severity,
  consequence,
  text,
  remedy,
});

const WRITE_AGAIN = 'Write the question again as one of the types that are listed in the guide.';
const CHECK_SCORE = 'Try the question with the responses that matter, and correct its scoring.';
const SCORE_BY_HAND = 'Add the correct response in the question, or let a person score it.';
const ADD_FILE = 'Upload the file, and put its address into the question.';
const NOTHING_TO_DO = 'Nothing, unless you need it: it is stored beside the item.';
const ADD_BY_HAND = 'Add it in the bank, if you need it.';
const CHECK_LOOK = 'Look at the question, and change its layout where needed.';

/** Every note that an import can make. A code is added here, with a test case that makes it. */
export const NOTES = {
  // Scoring.
  'scoring-lost': kind('lost', 'score', (was) => `Cannot be scored here: ${was}.`, SCORE_BY_HAND),
  'scoring-approximated': kind(
    'approximated',
    'score',
    (was) => `Scores some responses differently: ${was}.`,
    CHECK_SCORE,
  ),
  // Nothing is lost: nobody scores it in the source either.
  'scoring-missing': kind('kept aside', 'nothing', (was) => `Has no scoring in the source: ${was}.`, SCORE_BY_HAND),
  'weight-dropped': kind(
    'lost',
    'score',
    (was) => `A weight was dropped: ${was}.`,
    'Change the points of the question.',
  ),
  'penalty-dropped': kind('lost', 'score', (was) => `A penalty was dropped: ${was}.`, CHECK_SCORE),
  'tolerance-approximated': kind(
    'approximated',
    'score',
    (was) => `A tolerance was approximated: ${was}.`,
    CHECK_SCORE,
  ),
  'unit-dropped': kind('lost', 'score', (was) => `Units were dropped: ${was}.`, CHECK_SCORE),
  'case-guessed': kind(
    'approximated',
    'score',
    (was) => `The source does not say whether capitals count: ${was}.`,
    'Set `case_sensitive` in the question.',
  ),
  'wildcard-approximated': kind('approximated', 'score', (was) => `A wildcard was approximated: ${was}.`, CHECK_SCORE),
  // Content and layout of the question.
  'interaction-lost': kind(
    'lost',
    'score',
    (was) => `This kind of interaction is not supported; a text that a person scores took its place: ${was}.`,
    WRITE_AGAIN,
  ),
  'interaction-approximated': kind(
    'approximated',
    'content',
    (was) => `Another kind of question took its place: ${was}.`,
    WRITE_AGAIN,
  ),
  'feature-dropped': kind(
    'lost',
    'content',
    (was) => `A feature that stands beside the questions was dropped: ${was}.`,
    'Add something similar in the other program.',
  ),
  'choice-limit-dropped': kind('lost', 'content', (was) => `A limit of choices was dropped: ${was}.`, CHECK_LOOK),
  'choice-markup-dropped': kind(
    'approximated',
    'content',
    (was) => `Markup in a choice became plain text: ${was}.`,
    CHECK_LOOK,
  ),
  'text-split': kind(
    'approximated',
    'look',
    (was) => `The text was divided between several questions: ${was}.`,
    CHECK_LOOK,
  ),
  'markup-dropped': kind(
    'lost',
    'content',
    (was) => `Markup that could run code or is unknown was dropped: ${was}.`,
    CHECK_LOOK,
  ),
  'variable-text-dropped': kind(
    'lost',
    'content',
    (was) => `A text that the source computes was dropped: ${was}.`,
    WRITE_AGAIN,
  ),
  'template-dropped': kind(
    'lost',
    'content',
    (was) => `Random values of the source were dropped: ${was}.`,
    WRITE_AGAIN,
  ),
  'dynamic-behaviour-dropped': kind(
    'lost',
    'content',
    (was) => `Behaviour that depends on answers was dropped: ${was}.`,
    WRITE_AGAIN,
  ),
  'hint-dropped': kind(
    'lost',
    'content',
    (was) => `A hint was dropped: ${was}.`,
    'Add it as feedback of the question.',
  ),
  'first-response-dropped': kind(
    'lost',
    'content',
    (was) => `A response that is there before the learner answers was dropped: ${was}.`,
    'Put it into the text of the question.',
  ),
  'feedback-kept-aside': kind(
    'kept aside',
    'nothing',
    (was) => `Feedback that depends on the score is kept aside: ${was}.`,
    NOTHING_TO_DO,
  ),
  'feedback-dropped': kind(
    'lost',
    'content',
    (was) => `Feedback was dropped: ${was}.`,
    'Add it as `distractor_rationale`.',
  ),
  'shuffle-approximated': kind(
    'approximated',
    'look',
    (was) => `The order of the choices differs: ${was}.`,
    CHECK_LOOK,
  ),
  'layout-approximated': kind('approximated', 'look', (was) => `The layout differs: ${was}.`, CHECK_LOOK),
  'style-dropped': kind('lost', 'look', (was) => `A style sheet was dropped: ${was}.`, CHECK_LOOK),
  'input-rule-dropped': kind('lost', 'content', (was) => `A rule for the input was dropped: ${was}.`, CHECK_LOOK),
  'playback-rule-dropped': kind(
    'lost',
    'content',
    (was) => `A rule for playing media was dropped: ${was}.`,
    CHECK_LOOK,
  ),
  'member-kept-aside': kind(
    'kept aside',
    'nothing',
    (was) => `Kept aside, because nothing here holds it: ${was}.`,
    NOTHING_TO_DO,
  ),
  'unknown-dropped': kind('lost', 'nothing', (was) => `Not known and dropped: ${was}.`, ADD_BY_HAND),
  // Files.
  'file-missing': kind('lost', 'content', (was) => `A file is not in the package: ${was}.`, ADD_FILE),
  'file-refused': kind('lost', 'content', (was) => `A file was refused: ${was}.`, ADD_FILE),
  'address-remote': kind(
    'kept aside',
    'nothing',
    (was) => `A file lies on another server, and is not fetched: ${was}.`,
    'Upload the file, if the other server may go away.',
  ),
  // Activities.
  'item-missing': kind(
    'lost',
    'content',
    (was) => `A named item, section or activity could not be imported: ${was}.`,
    'Import the item, then add it.',
  ),
  'item-repeated': kind(
    'lost',
    'content',
    (was) => `An item or section stands twice in the test; the first one stays: ${was}.`,
    'Duplicate the item.',
  ),
  'selection-dropped': kind(
    'lost',
    'content',
    (was) => `A random selection of items was dropped; all are in: ${was}.`,
    'Use a pool.',
  ),
  'branching-dropped': kind(
    'lost',
    'content',
    (was) => `A rule for the order of the items was dropped: ${was}.`,
    'Use an adaptive activity.',
  ),
  'time-limit-dropped': kind(
    'lost',
    'content',
    (was) => `A time limit was dropped: ${was}.`,
    'Set it in the activity.',
  ),
  'session-rule-dropped': kind(
    'lost',
    'content',
    (was) => `A rule for taking the test was dropped: ${was}.`,
    'Set it in the activity.',
  ),
  'test-scoring-dropped': kind(
    'lost',
    'score',
    (was) => `A rule that scores the test was dropped: ${was}.`,
    'Set it in the activity.',
  ),
  'bank-missing': kind(
    'lost',
    'content',
    (was) => `A question bank that the test draws from is not in the package: ${was}.`,
    'Export the bank from the source too, and import both.',
  ),
  // Sessions of another server.
  'session-history-dropped': kind(
    'lost',
    'nothing',
    (was) => `The other server does not return it: ${was}.`,
    'Nothing, unless you need it: read it there.',
  ),
  'session-question-assumed': kind(
    'approximated',
    'nothing',
    (was) =>
      `The other server does not return the questions as they were asked; those of the bank stand in their place: ${was}.`,
    'Check that the questions were not changed, before you score the session again.',
  ),
  'session-item-missing': kind(
    'approximated',
    'look',
    (was) => `The bank does not have an item of the session; its questions stand there alone: ${was}.`,
    'Nothing, unless the item was renamed: then the session shows its former name.',
  ),
  'session-sum-changed': kind(
    'approximated',
    'score',
    (was) => `The same scores have another sum here: ${was}.`,
    'Look at the scores of the session.',
  ),
  'session-status-changed': kind(
    'approximated',
    'nothing',
    (was) => `The session has another status here: ${was}.`,
    'Score the responses that wait for a person.',
  ),
  'session-learner-erased': kind(
    'lost',
    'nothing',
    (was) => `The learner was erased here: ${was}.`,
    'Nothing. If the learner came back, send the session with sessions set.',
  ),
  // Exports of named records.
  'record-missing': kind(
    'lost',
    'content',
    (was) => `There is no such record: ${was}.`,
    'Correct the reference, and export again.',
  ),
  // Names.
  'reference-changed': kind(
    'approximated',
    'nothing',
    (was) => `Another reference was given: ${was}.`,
    'Nothing, unless other programs use the former reference.',
  ),
  'title-changed': kind(
    'approximated',
    'nothing',
    (was) => `A title was shortened: ${was}.`,
    'Write a shorter title in the bank.',
  ),
  'tag-changed': kind(
    'approximated',
    'nothing',
    (was) => `A tag was shortened or changed: ${was}.`,
    'Nothing, unless other programs use the former tag.',
  ),
  // The whole entry. It is not imported.
  'entry-unreadable': kind(
    'lost',
    'content',
    (was) => `Cannot be read: ${was}.`,
    'Correct the source, and import it again.',
  ),
  'file-unread': kind(
    'lost',
    'content',
    (was) => `This file was not read, because it has another format than the others: ${was}.`,
    'Import this file by itself.',
  ),
  'schema-violated': kind(
    'lost',
    'content',
    (was) => `Does not follow its schema: ${was}.`,
    'Correct the source, or import it without --schemas.',
  ),
  'entry-unsupported': kind('lost', 'content', (was) => `This type is not supported: ${was}.`, WRITE_AGAIN),
  'entry-refused': kind(
    'lost',
    'content',
    (was) => `The bank refuses it: ${was}.`,
    'Correct the source, and import it again.',
  ),
  'entry-exists': kind(
    'lost',
    'nothing',
    (was) => `The reference exists already: ${was}.`,
    'Import with another rule for collisions: replace, skip or new-reference.',
  ),
} satisfies Record<string, Kind>;

export type NoteCode = keyof typeof NOTES;

export interface Note {
  code: NoteCode;
  /** The place in the source: XPath, line or field. */
  at: string;
  /** A description or a quotation of the part, at most 200 characters. */
  was: string;
}

const MAX_WAS_LENGTH = 200;

export function note(code: NoteCode, at: string, was: string): Note {
  const short = was.replace(/\s+/g, ' ').trim();
  return { code, at, was: short.length > MAX_WAS_LENGTH ? `${short.slice(0, MAX_WAS_LENGTH - 1)}…` : short };
}

export const severityOf = ({ code }: Note): Severity => NOTES[code].severity;
export const consequenceOf = ({ code }: Note): Consequence => NOTES[code].consequence;

/** A note as callers and people see it. */
export function shownNote({ code, at, was }: Note) {
  const { severity, consequence, text, remedy } = NOTES[code];
  return { code, severity, consequence, at, was, message: text(was.replace(/\.$/, '')), remedy };
}
