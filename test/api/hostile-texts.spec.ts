import { declarationOf, rightFor, spellWhen } from '../../apps/api/src/declaration/operation';
import { operations } from '../../apps/api/src/operations';
import { membersOf, type Request, schemaOf, typesOf, withValue } from '../support/declared-members';
import { engines } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { goodRequest, provisionGoodRequests, seedGoodRequests } from '../support/good-requests';
import { serviceOfSuite, startService } from '../support/service';

const QUESTIONS = 'itembank/questions';
const ITEMS = 'itembank/items';
const TAGS = 'itembank/tagging/tags';

/** Texts with a meaning for SQL, HTML, shells, templates or careless programs. */
const HOSTILE = [
  `'; DROP TABLE document; --`,
  `" OR "1"="1`,
  `' OR '1'='1' /*`,
  `1) UNION SELECT sealed FROM consumer_secret --`,
  `\\' OR 1=1 #`,
  '`document`',
  '?',
  '%',
  '_',
  '%%%s%n',
  ':name @variable $1',
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `<!--`,
  `]]>`,
  `&lt;b&gt; &amp; &#x41;`,
  `{{7*7}} \${7*7} <%= 7 %>`,
  `$(reboot) | ; && \``,
  `../../../../etc/passwd`,
  `\\\\server\\share`,
  `C:\\nul`,
  `null`,
  `true`,
  `NaN`,
  `-1e309`,
  `[object Object]`,
  `\u202eright to left\u202c`,
  `a\u0301\u0328 combining`,
  `zero\u200bwidth\ufeff`,
  `\u2028\u2029`,
  `👩‍👩‍👧‍👦 𝒳 \u{10ffff}`,
  `\uffff\ufffe`,
  `\u0001\u0007\u001b[31m`,
  `line\r\nbreak\ttab`,
  ` blanks around `,
  `ＦＵＬＬ　ｗｉｄｔｈ`,
  `İıßŒ`,
];
/** Those that are valid references. */
const HOSTILE_REFERENCES = HOSTILE.filter((text) => /^[ !#-&(-_a-~]{1,150}$/.test(text));

/** Writes refuse and sanitise the same texts on every engine. The results of filters and reads may differ. */
const writeEngines = process.env.TEST_ALL ? engines : engines.slice(0, 1);

/** The texts that reads accepted on the first engine, by operation and member. Refused texts never reach a database. */
const accepted = new Map<string, string[]>();

describe.each(engines)('hostile texts on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  beforeAll(async () => {
    await seedGoodRequests(client);
    await provisionGoodRequests(service);
  });

  // Sends each text in every text member of every operation. Reads come first, while no record has such a name.
  describe.each(
    operations
      .map(declarationOf)
      .filter((declaration) => rightFor(declaration) === 'read' || writeEngines.includes(engine))
      .sort((a, b) => Number(rightFor(a) !== 'read') - Number(rightFor(b) !== 'read'))
      .map((declaration) => [`${declaration.action} ${declaration.path}`, declaration] as const),
  )('%s', (_, declaration) => {
    const { action, path, when } = declaration;
    const schema = schemaOf(declaration);
    const texts = membersOf(schema).filter(
      // The author is the same everywhere, and tested below.
      (member) => typesOf(member.schema).includes('string') && !member.pointer.startsWith('/meta/'),
    );
    for (const member of texts)
      it(member.pointer, async () => {
        const reads = rightFor(declaration) === 'read';
        // The type of a question in a request is not a filter.
        const isFilter = path !== 'scoring' && path !== 'itembank/warnings';
        const names = /(reference|type|name|created_by)s?(\/0)?$/.test(member.pointer) && isFilter;
        const send = async (text: string) => {
          const request = withValue(goodRequest(action, path, 1, when && spellWhen(when)), schema, member.keys, text);
          const answer = await client.call(path, action, request);
          if (answer.meta.status) expectSuccess(answer);
          else expectFailure(answer, answer.status === 409 ? 409 : 400, answer.meta.code!);
          // A filter must mean exactly what it says.
          if (reads && names && answer.meta.status) expect([text, foundIn(answer.data)]).toEqual([text, []]);
          return answer.status !== 400;
        };
        const place = `${action} ${path} ${JSON.stringify(when)} ${member.pointer}`;
        const sent = (engine !== engines[0] && !process.env.TEST_ALL && accepted.get(place)) || HOSTILE;
        const passed: string[] = [];
        // Reads do not affect each other, so they run in groups.
        const group = reads ? 10 : 1;
        for (let first = 0; first < sent.length; first += group) {
          const texts = sent.slice(first, first + group);
          const outcomes = await Promise.all(texts.map(send));
          passed.push(...texts.filter((_, index) => outcomes[index]));
        }
        if (reads && engine === engines[0]) accepted.set(place, passed);
      });
  });

  it('are stored unchanged in plain text members', async () => {
    const entries = HOSTILE.map((text, index) => ({
      reference: `text${index}`,
      title: text,
      note: text,
      source: text,
      definition: { widgets: [{ reference: 'q-good0' }], template: 'x' },
      metadata: { scoring_type: 'dependent', [text]: 'x' },
      tags: { [text]: [text] },
    }));
    expectSuccess(await client.set(ITEMS, { items: entries.slice(0, 20) }));
    expectSuccess(await client.set(ITEMS, { items: entries.slice(20) }));
    const read = await client.get(ITEMS, { references: entries.map(({ reference }) => reference) });
    expect(read.data).toHaveLength(entries.length);
    for (const item of read.data as Request[]) {
      const sent = entries.find(({ reference }) => reference === item.reference)!;
      expect(item).toMatchObject({
        title: sent.title,
        note: sent.note,
        source: sent.source,
        metadata: sent.metadata,
      });
      expect(item.tags).toEqual(sent.tags);
    }
  });

  it('are found only by the tags that contain them', async () => {
    for (const text of HOSTILE) {
      const { data } = await client.get(TAGS, { types: [text], names: [text] });
      expect(data).toMatchObject([{ type: text, name: text }]);
      const found = await client.get(ITEMS, { tags: [{ type: text, name: text }] });
      expect([text, found.meta.records]).toEqual([text, 1]);
      expect((await client.get(ITEMS, { tags: [{ type: text, name: `${text}x` }] })).meta.records).toBe(0);
    }
  });

  it('can be descriptions of tags and names of users', async () => {
    for (const [index, text] of HOSTILE.entries()) {
      const tags = [{ type: 'Described', name: `${index}`, description: text }];
      const user = { id: text.slice(0, 50), firstname: text.slice(0, 50), lastname: text.slice(0, 50), email: text };
      expectSuccess(await client.set(TAGS, { tags, meta: { user } }));
      expectSuccess(
        await client.set(ITEMS, {
          items: [{ reference: 'by-user', definition: { widgets: [{ reference: 'q-good0' }] } }],
          meta: { user },
        }),
      );
      const { data } = await client.get(ITEMS, { references: ['by-user'], include: { items: ['last_updated_by'] } });
      expect(data[0].last_updated_by).toBe(user.id);
    }
    const read = await client.get(TAGS, { types: ['Described'], sort_field: 'created', sort: 'asc' });
    expect((read.data as { description: string }[]).map(({ description }) => description)).toEqual(HOSTILE);
  });

  it('can be references where they are valid', async () => {
    expect(HOSTILE_REFERENCES.length).toBeGreaterThan(8);
    const definition = { widgets: [{ reference: 'q-good1' }] };
    expectSuccess(
      await client.set(ITEMS, { items: HOSTILE_REFERENCES.map((reference) => ({ reference, definition })) }),
    );
    expectSuccess(
      await client.set('itembank/activities', {
        activities: HOSTILE_REFERENCES.map((reference) => ({ reference, data: { items: [reference] } })),
      }),
    );
    for (const reference of HOSTILE_REFERENCES) {
      expect((await client.get(ITEMS, { references: [reference] })).data).toMatchObject([{ reference }]);
      const holding = await client.get('itembank/activities', { item_references: { all: [reference] } });
      expect(holding.data).toMatchObject([{ reference, data: { items: [reference] } }]);
      const keyed = await client.get(QUESTIONS, { item_references: [reference] });
      expect(Object.entries(keyed.data as object)).toMatchObject([[reference, [{ reference: 'q-good1' }]]]);
    }
  });

  it('are searched literally by content_search', async () => {
    const stimuli = ['100% sure', 'under_score', "it's", 'back\\slash', 'say "x"', 'Ünï ☃😀'];
    await client.set(QUESTIONS, {
      questions: stimuli.map((stimulus, index) => ({
        type: 'searched',
        reference: `search${index}`,
        data: { stimulus },
      })),
    });
    const found = async (content_search: string) => {
      const { data } = await client.get(QUESTIONS, { types: ['searched'], content_search, sort: 'asc' });
      return (data as Request[]).map(({ reference }) => reference);
    };
    expect(await found('%')).toEqual(['search0']);
    expect(await found('_')).toEqual(['search1']);
    expect(await found("t's")).toEqual(['search2']);
    expect(await found('back\\sl')).toEqual(['search3']);
    expect(await found('"x"')).toEqual(['search4']);
    expect(await found('☃😀')).toEqual(['search5']);
    expect(await found("' OR '1'='1")).toEqual([]);
  });

  it('are removed from markup when they could run in a browser, and only from markup', async () => {
    const data = { stimulus: '<p onclick="x()">a</p><script>b</script>', value: '<script>' };
    const answer = await client.set(QUESTIONS, { questions: [{ type: 'mcq', reference: 'markup', data }] });
    expectSuccess(answer);
    expect(answer.meta.sanitised).toBe(2);
    const read = await client.get(QUESTIONS, { references: ['markup'] });
    expect(read.data[0].data).toEqual({ stimulus: '<p>a</p>', value: '<script>' });
  });
});

/** The keys of the records that a read found; of counts, none if the total is 0. */
function foundIn(data: unknown): string[] {
  const { total } = data as { total?: unknown };
  return total === 0 ? [] : Object.keys(data as object);
}
