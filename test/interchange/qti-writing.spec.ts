import { type Entry, FORMATS } from '#interchange';
import { type Json } from '#kernel';
import { compile } from '#scoring';
import { type ItemRecord } from '../../libs/interchange/src/formats/entry';
import { type Outgoing } from '../../libs/interchange/src/formats/format';
import { WRITTEN_TYPES } from '../../libs/interchange/src/formats/qti/write/item';
import { parseXml } from '../../libs/interchange/src/formats/xml';
import { MADE, PICTURE } from './support/made-questions';
import { dataOf, notesOf, readWith } from './support/reading';
import { BASE, itemOf, PNG, writeWith } from './support/writing';

const [qti, qti22] = ['qti', 'qti-2.2'].map((name) => FORMATS.find((format) => format.name === name)!);
const ASSETS = { [PICTURE.slice(BASE.length)]: PNG };

const right = (value: Json, members: Record<string, Json> = {}) => ({
  scoring_type: 'exactMatch',
  valid_response: { score: 1, value },
  ...members,
});
const choice = (reference: string, validation: Json = right(['a'])): Outgoing =>
  itemOf(reference, {
    type: 'mcq',
    stimulus: 'Which?',
    options: [
      { label: 'A', value: 'a' },
      { label: 'B', value: 'b' },
    ],
    validation,
  });

const passage = {
  reference: 'text-1',
  type: 'sharedpassage',
  data: { type: 'sharedpassage', heading: 'A text', content: `<p>Read <img src="${PICTURE}"></p>` },
};
const withPassage = (reference: string): Outgoing => {
  const { record } = choice(reference) as { record: ItemRecord };
  return { reference, record: { ...record, widgets: [...record.widgets, passage], features: ['text-1'] } };
};
const activity: Outgoing = {
  reference: 'test 1',
  record: {
    kind: 'activity',
    title: 'A test',
    data: {
      config: { time: { max_time: 600 } },
      sections: [{ items: ['one'], config: { title: 'First' } }, { items: [{ reference: 'two' }] }],
      rendering_type: 'assess',
    },
  },
};

const kept = (entries: readonly Entry[]) =>
  entries.map(({ reference, record }) => ({
    reference,
    record: JSON.parse(JSON.stringify(record).replaceAll('itembank-asset:', BASE)) as Json,
  }));

describe.each([
  ['3.0', qti!],
  ['2.2', qti22!],
])('a package of QTI %s', (version, format) => {
  const bank = [withPassage('one'), withPassage('two'), activity];

  it('holds a resource for each item, test and media file, and is imported as it was', async () => {
    const { files } = await writeWith(format, bank, ASSETS);
    const stimuli = version === '3.0' ? ['stimuli/text-1.xml'] : [];
    const withoutHash = (path: string) => path.replace(/-[0-9a-f]{8}(?=\.)/, '');
    expect(Object.keys(files).map(withoutHash).sort()).toEqual([
      'imsmanifest.xml',
      'items/one.record.xml',
      'items/one.xml',
      'items/two.record.xml',
      'items/two.xml',
      'media/0011223344556677/map.png',
      ...stimuli,
      'tests/test-1.record.xml',
      'tests/test-1.xml',
    ]);
    const manifest = parseXml(files['imsmanifest.xml'] as string, 'imsmanifest.xml');
    const resources = manifest.first('resources')!.all('resource');
    const hrefs = resources.map(({ attributes }) => attributes.href!);
    expect([...hrefs].sort()).toEqual(
      Object.keys(files)
        .filter((path) => path !== 'imsmanifest.xml')
        .sort(),
    );
    const ids = resources.map(({ attributes }) => attributes.identifier);
    expect(new Set(ids).size).toBe(ids.length);
    for (const resource of resources)
      for (const { attributes } of resource.all('dependency')) expect(ids).toContain(attributes.identifierref);
    expect(files['media/0011223344556677/map.png']).toEqual(PNG);

    expect(kept(await readWith(format, files))).toEqual(bank.map(({ reference, record }) => ({ reference, record })));
  });

  it('is read from its XML after another program has changed it', async () => {
    const { files } = await writeWith(format, bank, ASSETS);
    const changed = Object.fromEntries(
      Object.entries(files).map(([path, content]) =>
        path === 'items/one.xml' ? [path, (content as string).replace('Which?', 'Which one?')] : [path, content],
      ),
    );
    const [one, two] = await readWith(format, changed);
    expect(
      one!.record!.kind === 'item' && one!.record!.widgets.map(({ data }) => data.stimulus ?? data.content),
    ).toEqual(expect.arrayContaining([expect.stringContaining('Which one?') as string]));
    expect(kept([two!])).toEqual([{ reference: 'two', record: bank[1]!.record }]);
  });

  it('gives the same records after another program has only reformatted its XML', async () => {
    const { files } = await writeWith(format, bank, ASSETS);
    const again = Object.fromEntries(
      Object.entries(files).map(([path, content]) =>
        path.startsWith('items/') && !path.includes('record')
          ? [
              path,
              (content as string)
                .replace(/></g, '>\n  <')
                .replace(/ identifier="(\w+)" title="(\w+)"/, ' title="$2" identifier="$1"'),
            ]
          : [path, content],
      ),
    );
    expect(kept(await readWith(format, again))).toEqual(kept(await readWith(format, files)));
  });

  it('is read without its records if they are damaged', async () => {
    const { files } = await writeWith(format, [choice('one')]);
    for (const damage of ['<oops', '<itembank:record xmlns:itembank="urn:itembank:record">[1]</itembank:record>', '']) {
      const [entry] = await readWith(format, { ...files, 'items/one.record.xml': damage });
      expect(dataOf(entry!)).toMatchObject({ type: 'mcq', validation: { valid_response: { value: ['a'] } } });
    }
    const mark = /mark="(\w+)"/.exec(files['items/one.record.xml'] as string)![1]!;
    const foreign = `<itembank:record xmlns:itembank="urn:itembank:record" mark="${mark}">{"kind":"tags","reference":"x"}</itembank:record>`;
    expect((await readWith(format, { ...files, 'items/one.record.xml': foreign }))[0]!.record!.kind).toBe('item');
  });

  it('uses a standard template if the template is exact, and otherwise its own rules', async () => {
    const processing = async (validation: Json) => {
      const { files } = await writeWith(format, [choice('one', validation)]);
      return (files['items/one.xml'] as string).replace(/^.*<\/(?:qti-item-body|itemBody)>/s, '');
    };
    expect(await processing(right(['a']))).toContain('rptemplates/match_correct');
    expect(await processing(right(['a'], { alt_responses: [{ score: 0.5, value: ['b'] }] }))).toContain(
      'rptemplates/map_response',
    );
    expect(await processing(right(['a'], { min_score_if_attempted: 0.5 }))).toMatch(/<(qti-response-if|responseIf)>/);
    expect(await processing({ ...right(['a']), unscored: true })).not.toMatch(/process/i);
  });

  it('keeps the points of each of many choices when a wrong one costs points', async () => {
    const ids = Array.from({ length: 13 }, (_, at) => `C${at}`);
    const mapping = `<mapping defaultValue="0">${['1', '1', '-1'].map((points, at) => `<mapEntry mapKey="C${at}" mappedValue="${points}"/>`).join('')}</mapping>`;
    const [entry] = await readWith(qti!, {
      'a.xml': `<assessmentItem identifier="a"><responseDeclaration identifier="RESPONSE" cardinality="multiple" baseType="identifier">
        <correctResponse><value>C0</value><value>C1</value></correctResponse>${mapping}</responseDeclaration>
        <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/><itemBody>
        <choiceInteraction responseIdentifier="RESPONSE" maxChoices="0">${ids.map((id) => `<simpleChoice identifier="${id}">${id}</simpleChoice>`).join('')}</choiceInteraction>
        </itemBody><responseProcessing template="map_response"/></assessmentItem>`,
    });
    const { files, notes } = await writeWith(format, [itemOf('a', { ...dataOf(entry!), type: 'mcq' })]);
    expect(notes).toEqual([]);
    const rules = parseXml(files['items/a.xml'] as string, 'a.xml').elements.at(-1)!;
    expect(rules.attributes.template).toMatch(/map_response/);
  });

  it('writes questions that QTI cannot hold as a text that a person scores, names them, and keeps them aside', async () => {
    const numberline = itemOf('line', {
      type: 'numberline',
      stimulus: 'Where is 2?',
      points: ['2'],
      validation: right([{ point: '2', position: 2 }]),
    });
    const { files, notes } = await writeWith(format, [numberline]);
    expect(notes.map(({ reference, code, was }) => [reference, code, was])).toEqual([
      ['line', 'interaction-lost', 'numberline'],
    ]);
    expect(kept(await readWith(format, files))).toEqual([numberline]);
    const { 'items/line.record.xml': _, ...others } = files;
    const [entry] = await readWith(format, others);
    expect(dataOf(entry!)).toMatchObject({
      type: 'plaintext',
      stimulus: expect.stringContaining('Where is 2?') as string,
    });
    expect(compile(dataOf(entry!)).maxScore).toBe(1);
  });

  it('names members that only this program knows, and keeps them aside', async () => {
    const { record } = choice('one') as { record: ItemRecord };
    const data = { ...record.widgets[0]!.data, hint: 'x', metadata: { distractor_rationale: 'Why' } };
    const item: Outgoing = {
      reference: 'one',
      record: { ...record, note: 'A note', widgets: [{ ...record.widgets[0]!, data }] },
    };
    const { files, notes } = await writeWith(format, [item]);
    expect(notes.map(({ code, was }) => [code, was])).toEqual([
      ['feedback-kept-aside', 'mcq, rationale'],
      ['member-kept-aside', 'mcq, hint'],
      ['member-kept-aside', 'note'],
    ]);
    expect(kept(await readWith(format, files))).toEqual([item]);
  });

  it('writes questions and features that no item holds', async () => {
    const loose: Outgoing[] = [
      {
        reference: 'q',
        record: { kind: 'question', type: 'plaintext', data: { type: 'plaintext', validation: { max_score: 3 } } },
      },
      {
        reference: 'f',
        record: { kind: 'feature', type: 'sharedpassage', data: { type: 'sharedpassage', content: 'A' } },
      },
    ];
    const { files } = await writeWith(format, loose);
    expect(kept(await readWith(format, files))).toEqual(loose);
  });

  it('is imported as it was when an activity has the reference of one of its items', async () => {
    const records = [choice('one'), choice('two'), { ...activity, reference: 'one' }];
    const { files } = await writeWith(format, records);
    expect(kept(await readWith(format, files))).toEqual(records);
  });

  it('leaves out items of a test that are not in the package, and adds a note', async () => {
    const { files, notes } = await writeWith(format, [choice('one'), activity]);
    expect(notes.map(({ code, was }) => [code, was])).toContainEqual(['item-missing', 'two']);
    expect(kept(await readWith(format, files))[1]).toEqual({ reference: 'test 1', record: activity.record });
  });

  it('is well-formed even if HTML attributes in its texts have no value', async () => {
    const stimulus =
      '<p class title="" data-x aria-label="">Hear <audio controls loop muted src="https://a.example/b.mp3"></audio><img src="https://a.example/c.png" alt><math><mfenced open="" close="}"><mi>x</mi></mfenced></math></p>';
    const { files } = await writeWith(format, [itemOf('heard', { type: 'longtextV2', stimulus })]);
    const xml = String(files[Object.keys(files).find((path) => /heard.*\.xml$/.test(path))!]);
    const audio = version === '3.0' ? 'audio' : 'qh5:audio';
    expect(xml).toContain(
      `<${audio} controls="true" loop="true" muted="true" src="https://a.example/b.mp3"></${audio}>`,
    );
    expect(xml).toContain('<img src="https://a.example/c.png" alt="" />');
    expect(xml).toContain('<p>Hear ');
    expect(xml).toContain('<mfenced open="" close="}">');
  });

  it('is well-formed whatever its texts contain', async () => {
    const odd =
      'a\u0001\uFFFE <b>x</i> & &nbsp; <p>one<p>two <br> <o:p>q</o:p> <math><mi>x</mi></math> ]]> <script>1</script>';
    const item = itemOf('odd', { type: 'shorttext', stimulus: odd, validation: right('\u0001 "<&>') });
    const { files } = await writeWith(format, [item]);
    for (const [path, content] of Object.entries(files)) parseXml(content as string, path);
    expect(files['items/odd.xml']).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>');
    expect(kept(await readWith(format, files))).toEqual([item]);
  });
});

describe('an item of QTI 2.2', () => {
  const item: Outgoing = {
    reference: 'heard',
    record: {
      kind: 'item',
      widgets: [
        {
          reference: 'q',
          type: 'longtextV2',
          data: {
            type: 'longtextV2',
            stimulus:
              '<figure><img src="https://a.example/c.png" alt="C"><figcaption>C</figcaption></figure><video controls><source src="https://a.example/v.mp4" type="video/mp4"></video>',
          },
        },
        { reference: 'a', type: 'audioplayer', data: { type: 'audioplayer', src: 'https://a.example/b.mp3' } },
      ],
      features: ['a'],
    },
  };

  it('has the elements that HTML 5 added in their own namespace, and is read with them', async () => {
    const { files } = await writeWith(qti22!, [item]);
    const path = 'items/heard.xml';
    const xml = files[path] as string;
    expect(xml).toContain(
      '<qh5:figure><img src="https://a.example/c.png" alt="C" /><qh5:figcaption>C</qh5:figcaption></qh5:figure>' +
        '<qh5:video controls="true"><qh5:source src="https://a.example/v.mp4" type="video/mp4" /></qh5:video>',
    );
    expect(xml).toContain('<qh5:audio src="https://a.example/b.mp3" controls="true"></qh5:audio>');
    const names = [...parseXml(xml, path).below()].filter(({ namespace }) => namespace.includes('html5'));
    expect(names.map(({ name }) => name)).toEqual(['figure', 'figcaption', 'video', 'source', 'audio']);
    const [entry] = await readWith(qti22!, { [path]: xml });
    expect(dataOf(entry!).stimulus).toContain(
      '<figure><img src="https://a.example/c.png" alt="C"><figcaption>C</figcaption></figure>',
    );
  });
});

describe('an exported manual question', () => {
  it.each<[string, Record<string, Json>, string]>([
    ['longtextV2', { max_length: 100 }, 'longtextV2'],
    ['longtext', {}, 'longtextV2'],
    ['plaintext', { placeholder: 'Here' }, 'plaintext'],
    ['fileupload', { allow_pdf: true }, 'fileupload'],
    ['imageupload', { allow_png: true }, 'fileupload'],
    ['drawing', { image: { src: PICTURE } }, 'drawing'],
  ])('of the type %s keeps the points that a person can give, without our own parts', async (type, members, read) => {
    const { files, notes } = await writeWith(
      qti!,
      [itemOf('m', { type, ...members, validation: { max_score: 4 } })],
      ASSETS,
    );
    expect(notes).toEqual([]);
    const { 'items/m.record.xml': _, ...others } = files;
    const [entry] = await readWith(qti!, others);
    expect(dataOf(entry!)).toMatchObject({ type: read, validation: { max_score: 4 } });
    expect(notesOf(entry!)).toEqual([]);
  });

  it('has one of the types that the round trips and this suite test', () => {
    const manual = 'longtext longtextV2 plaintext fileupload imageupload drawing'.split(' ');
    expect([...WRITTEN_TYPES].sort()).toEqual([...Object.keys(MADE), ...manual].sort());
  });
});

describe('a pattern for a short text', () => {
  const texts = [
    'heavy water',
    'Use heavy, water please.',
    'HEAVY WATER!',
    'heavy waters',
    'water heavy',
    ' Heavy  water ',
    'hëavy water',
  ];
  const cases: [string, Record<string, Json>, string[]][] = [
    [
      'a contained text',
      { validation: { valid_response: { value: 'heavy water', matching_rule: 'contains' } } },
      texts,
    ],
    [
      'a text whose accents cost points',
      { validation: { ...right('café au lait'), accent_sensitivity: { enabled: true, accent_penalty_points: 0.25 } } },
      ['café au lait', 'cafe au lait', 'CAFÉ AU LAIT', 'cafè àu laît', 'cafe\u0301 au lait', 'caf au lait', ''],
    ],
    [
      'letters in full width',
      { validation: right('42 kg', { enable_fullwidth_scoring: true }) },
      ['42 kg', '４２ kg', '４２　ｋｇ', '42kg', '43 kg'],
    ],
    [
      'signs with a meaning',
      { case_sensitive: true, validation: right('$5.00 (a|b) [c-d]^2*?+{e}\\') },
      ['$5.00 (a|b) [c-d]^2*?+{e}\\', '$5x00 (a|b) [c-d]^2*?+{e}\\'],
    ],
    ['letters with several capitals', { validation: right('Straße') }, ['STRASSE', 'straße', 'Strase', 'strasse']],
  ];

  it.each(cases)('accepts what the service accepts: %s', async (_, members, given) => {
    const data = { type: 'shorttext', ...members };
    const { files } = await writeWith(qti!, [itemOf('t', data)]);
    const item = parseXml(files['items/t.xml'] as string, 't.xml');
    // The first branch whose pattern matches gives its points.
    const branches = [...item.below()].filter(({ name }) => /^qti-response-(if|else-if)$/.test(name));
    const patterns = branches.map((branch) => ({
      pattern: new RegExp(`^(?:${branch.first('qti-pattern-match')!.attributes.pattern!})$`, 'u'),
      points: Number(branch.first('qti-set-outcome-value')!.text),
    }));
    for (const text of given) {
      const there = patterns.find(({ pattern }) => pattern.test(text))?.points ?? 0;
      expect([text, there]).toEqual([text, compile(data).score({ value: text }).score ?? 0]);
    }
  });
});
