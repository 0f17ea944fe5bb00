import { type Json } from '#kernel';
import { entriesAbout, Redaction, sessionsIn, sessionsSubmittedBy } from './redaction';

const traces = { user: 'me "x"', sessions: new Set(['mine', 'mine too']) };
const placeholder = expect.stringMatching(/^erased-[\w-]{16}$/) as string;

describe('redaction of job texts', () => {
  it('finds entries about a learner by session and by submission', () => {
    const value: Json = {
      submissions: [{ sessionId: 's', userId: traces.user, texts: ['t'] }, { session_id: 'u' }],
      n: 1,
    };
    expect([...sessionsIn(value)]).toEqual(['s', 't', 'u']);
    expect(sessionsSubmittedBy(traces.user, value)).toEqual(['s']);
    expect(entriesAbout(traces, [value, { session_id: 'mine', score: 1 }, 'mine'])).toEqual([
      { sessionId: 's', userId: traces.user, texts: ['t'] },
      { session_id: 'mine', score: 1 },
    ]);
  });

  it('removes whole submissions, and keeps only the session and status words of other entries', () => {
    const redaction = new Redaction(traces);
    const submissions = [
      { sessionId: 'mine', userId: traces.user },
      { sessionId: 'other', userId: 'you' },
    ];
    expect(redaction.of({ submissions })).toEqual({ submissions: [submissions[1]] });
    const entry = { session_id: 'mine', user_id: traces.user, status: 'saved', score: 3, message: 'm', responses: [1] };
    expect(redaction.of([{ a: 1 }, entry, 'mine', 'other'])).toEqual([
      { a: 1 },
      { session_id: placeholder, status: 'saved' },
      placeholder,
      'other',
    ]);
  });

  it('gives each session of a job one placeholder of its own', () => {
    const [first, second, third] = new Redaction(traces).of(['mine', 'mine too', 'mine']) as string[];
    expect([first === third, first === second]).toEqual([true, false]);
    expect(new Redaction(traces).of(['mine'])).not.toEqual([first]);
  });

  it('leaves all other text unchanged, byte for byte', () => {
    const text = '{"b":1, "a":[{"session_id":"other","message":"x","answer":"He said \\"me\\""},["mined"]]}';
    expect(new Redaction(traces).ofText(text)).toBe(text);
    expect(new Redaction(traces).ofText(null)).toBeNull();
  });

  it('leaves submissions of other users unchanged, whatever they contain', () => {
    const theirs: Json = { sessionId: 'mine', userId: 'you', responses: [{ value: ['mine'] }], message: '"mine"' };
    const value: Json = { submissions: [theirs] };
    expect(new Redaction(traces).of(value)).toBe(value);
    expect(entriesAbout(traces, value)).toEqual([]);
  });

  it('removes messages that quote the learner', () => {
    const message = `the session belongs to another user than ${JSON.stringify(traces.user)}`;
    expect(new Redaction(traces).of({ session_id: 'other', message })).toEqual({ session_id: 'other', message: '' });
    expect(new Redaction(traces).ofMessage('"mine" is not there')).toBe('');
    expect(new Redaction(traces).ofMessage('mine is not quoted')).toBe('mine is not quoted');
  });
});
