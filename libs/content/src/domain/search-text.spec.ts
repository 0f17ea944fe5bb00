import { MAX_TEXT, plainText, searchText } from './search-text';

describe('searchText', () => {
  it('has the texts for authors of an item, and nothing of its layout', () => {
    const body = {
      title: 'Angles',
      description: 'For grade 7',
      note: null,
      source: 'Book 3',
      definition: { template: 'dynamic', regions: [{ type: 'column', widgets: [{ reference: 'q-1' }] }] },
      questions: [{ reference: 'q-1', type: 'mcq' }],
      features: [],
      metadata: { scoring_type: 'per-question', acknowledgements: 'By A. Author', name: 'Old name' },
    };
    expect(searchText(body)).toBe('Angles\nFor grade 7\nBook 3\nBy A. Author\nOld name');
  });

  it.each<[string, object, string]>([
    ['options as objects', { options: [{ label: 'One', value: 'v1' }] }, 'One'],
    ['options as texts', { options: ['One', 'Two'], stems: ['Is it?'] }, 'One\nTwo\nIs it?'],
    ['lists', { list: ['first', 'second'], stimulus_list: ['left'] }, 'first\nsecond\nleft'],
    ['responses in lists of lists', { possible_responses: [['a', 'b'], ['c']] }, 'a\nb\nc'],
    ['responses in groups', { possible_responses: [{ title: 'Fruit', responses: ['fig'] }] }, 'Fruit\nfig'],
    ['templates', { template: 'The {{response}} is <b>red</b>.' }, 'The {{response}} is red.'],
    ['passages', { heading: 'Sea', content: '<p>Deep</p>', pages: ['Next'] }, 'Sea\nDeep\nNext'],
    ['texts that describe pictures', { image: { src: 'a.png', alt: 'A map', title: 'Map' } }, 'A map\nMap'],
    ['titles of tables', { ui_style: { type: 'table', column_titles: ['Yes'], stem_title: 'Claim' } }, 'Yes\nClaim'],
    ['transcripts', { src: 'https://a/b.mp3', metadata: { transcript: 'Once upon' } }, 'Once upon'],
  ])('has of a question or feature %s', (_, data, expected) => {
    expect(searchText({ type: 'x', data: data as never, metadata: null })).toBe(expected);
  });

  it.each<[string, object]>([
    [
      'keys',
      { validation: { valid_response: { value: ['secret'], label: 'secret' }, alt_responses: [{ text: 'secret' }] } },
    ],
    ['keys outside of validation', { valid_response: { label: 'secret' }, valid_responses: [['secret']] }],
    ['sample answers', { sample_answer: 'secret', metadata: { sample_answer: { text: 'secret' } } }],
    ['rationales', { metadata: { distractor_rationale: 'secret', distractor_rationale_response_level: ['secret'] } }],
    ['hints and rubrics', { hints: [{ label: 'secret' }], metadata: { rubric: { description: 'secret' } } }],
    ['feedback that learners see after the answer', { stimulus_review: 'secret', feedback: { text: 'secret' } }],
    ['texts that only instructors see', { instructor_stimulus: 'secret' }],
    [
      'types, addresses and colours',
      { type: 'secret', src: 'secret', areas: [{ fill: 'secret' }], js: { label_url: 'secret' } },
    ],
    ['numbers', { title: 5, options: [1, true, null] }],
  ])('has none of %s', (_, data) => {
    expect(searchText({ type: 'x', data: data as never, metadata: null })).toBe('');
  });

  it('has a limited length, wherever the texts are', () => {
    const text = searchText({ type: 'x', data: { options: Array.from({ length: 500 }, () => 'word '.repeat(100)) } });
    expect(text.length).toBeLessThanOrEqual(MAX_TEXT);
    expect(text.length).toBeGreaterThan(MAX_TEXT - 500);
  });

  it('never ends with half of a surrogate pair', () => {
    const text = searchText({ type: 'x', data: { stimulus: `a${'😀'.repeat(MAX_TEXT)}` } });
    expect(text.isWellFormed()).toBe(true);
  });
});

describe('plainText', () => {
  it.each([
    ['<p>One</p><p>two</p>', 'One two'],
    ['H<sub>2</sub>O and <b>bo</b>ld', 'H2O and bold'],
    ['line<br>break<br/>again', 'line break again'],
    ['Fish &amp; chips &lt;b&gt; caf&eacute; &#x41;', 'Fish & chips <b> café A'],
    ['a&nbsp;b\n\n c', 'a b c'],
    ['soft&shy;hyphen', 'softhyphen'],
    ['a < b and c > d', 'a < b and c > d'],
    ['<img alt="a > b" src=x>after', 'after'],
    ['<style>p { color: red }</style>seen<script>hidden()</script>', 'seen'],
    ['<!-- note -->seen', 'seen'],
    ['\\(\\frac{1}{2}\\)', '\\(\\frac{1}{2}\\)'],
    ['<p', '<p'],
  ])('of %j is %j', (markup, expected) => {
    expect(plainText(markup)).toBe(expected);
  });

  it.each(['<', '<a ', '<a "', "<a '", '<!--', '<a"\'', '&', '&#', '<style>', '</'])(
    'of many %j takes no longer than its length',
    (piece) => {
      const before = process.cpuUsage();
      plainText(piece.repeat(50_000));
      const { user, system } = process.cpuUsage(before);
      expect(user + system).toBeLessThan(1_000_000);
    },
  );
});
