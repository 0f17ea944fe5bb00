import fc from 'fast-check';
import { FORMATS, Unreadable } from '#interchange';
import { type Json } from '#kernel';
import { compile } from '#scoring';
import { NOTES } from '../../libs/interchange/src/formats/note';
import { deliveredQuestions } from '../support/delivered-questions';
import { runsOf } from '../support/runs';
import { sourceOf } from './support/reading';
import { itemOf, writeWith } from './support/writing';

/* Sources with random changes. INTERCHANGE_HOSTILE_RUNS is the number for each format; 10,000 take some seconds. */

const RUNS = Number(process.env.INTERCHANGE_HOSTILE_RUNS ?? runsOf(1000));
const SEED = 20_261_124;

const SOURCES: Record<string, string> = {
  'moodle-xml': `<quiz><question type="category"><category><text>$course$/top/A</text></category></question>
    <question type="multichoice"><name><text>N</text></name><questiontext format="markdown"><text>*a* @@PLUGINFILE@@/x.png</text><file name="x.png" path="/" encoding="base64">iVBORw0KGgo=</file></questiontext>
    <defaultgrade>2</defaultgrade><single>false</single><answer fraction="50"><text>a</text></answer><answer fraction="50"><text>b</text></answer><answer fraction="-50"><text>c</text></answer></question>
    <question type="cloze"><questiontext><text>{1:SA:=a~%50%b#f} {2:MCV:x~=y} {:NM:=1:0.5} {1:MR:=2~3}</text></questiontext></question>
    <question type="numerical"><answer fraction="100"><text>2.5</text><tolerance>0.1</tolerance></answer></question>
    <question type="ordering"><gradingtype>0</gradingtype><answer><text>a</text></answer><answer><text>b</text></answer></question>
    <question type="ddwtos"><questiontext><text>[[1]] [[2]]</text></questiontext><dragbox><text>a</text></dragbox><dragbox><text>b</text></dragbox></question></quiz>`,
  qti: `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="i" title="T"><responseDeclaration identifier="R1" cardinality="multiple" baseType="identifier"><correctResponse><value>A</value></correctResponse>
    <mapping defaultValue="-1" lowerBound="0"><mapEntry mapKey="A" mappedValue="2"/></mapping></responseDeclaration><responseDeclaration identifier="R2" cardinality="single" baseType="string"><correctResponse><value>x</value></correctResponse></responseDeclaration>
    <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/><itemBody><p>a <img src="x.png"/></p><choiceInteraction responseIdentifier="R1" maxChoices="0"><simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice></choiceInteraction>
    <p><textEntryInteraction responseIdentifier="R2"/></p></itemBody><responseProcessing><setOutcomeValue identifier="SCORE"><sum><mapResponse identifier="R1"/><product><baseValue baseType="float">2</baseValue><baseValue baseType="float">0</baseValue></product></sum></setOutcomeValue>
    <responseCondition><responseIf><match><variable identifier="R2"/><correct identifier="R2"/></match><setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/><baseValue baseType="float">1</baseValue></sum></setOutcomeValue></responseIf></responseCondition></responseProcessing></assessmentItem>`,
  'qti-1.2': `<questestinterop><assessment ident="a" title="T"><section ident="s"><item ident="i"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>fill_in_multiple_blanks_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
    <presentation><material><mattext texttype="text/html">[a] &lt;img src="$IMS-CC-FILEBASE$/x.png"&gt;</mattext></material><response_lid ident="response_a"><render_choice><response_label ident="1"><material><mattext>x</mattext></material></response_label></render_choice></response_lid></presentation>
    <resprocessing><respcondition continue="Yes"><conditionvar><varequal respident="response_a">1</varequal></conditionvar><setvar action="Add" varname="SCORE">33.33</setvar></respcondition></resprocessing></item></section></assessment></questestinterop>`,
  gift: '// [id:a] [tag:b]\n$CATEGORY: $course$/A\n\n::T::[markdown]Which *one*? {=a#f ~%50%b ~%-50%c ####g}\n\nN? {#1:0.5}\n\nM {=a -> b =c -> d = -> e}\n\nO {>2 ALL VERTICAL ABSOLUTE_POSITION SHOW none\na\nb\n}\n\nT {T#w#r}\n',
  csv: 'reference,type,question,choice_1,choice_2,correct,score,tags\nr,single,Q,a,b,1,2,A:B|C:D\n,matching,"Q\nq",a => b,c => d,,,\n,text,Q,,,x|y,,\n',
  aiken: 'Which?\nA) a\nB) b\nANSWER: B\n\nNext\nA. x\nB. y\nANSWER: A\n',
  ndjson:
    '{"kind":"item","reference":"r","widgets":[{"reference":"r_1","type":"mcq","data":{"type":"mcq","stimulus":"itembank-asset:x.png"}}],"tags":[{"type":"a","name":"b"}]}\n{"kind":"activity","reference":"a","data":{"items":["r"]}}\n',
};

const HOSTILE = [
  '<',
  '&',
  '&#0;',
  '&x;',
  '<!DOCTYPE x [<!ENTITY x "y">]>',
  '<![CDATA[',
  ']]>',
  '{',
  '}',
  '"',
  "'",
  '\\',
  '~',
  '%',
  '|',
  '\0',
  '\ufffe',
  '-',
  '9e999',
  'NaN',
  '../',
  '\n',
  '\n\n',
  '__proto__',
  'constructor',
  '1'.repeat(400),
];

/** Removes, repeats or replaces a part of the text at a random position. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 60 }),
  how: fc.constantFrom('remove', 'repeat', 'replace', 'cut'),
  by: fc.constantFrom(...HOSTILE),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(text: string, { at, length, how, by }: Change): string {
  const from = Math.floor(at * text.length);
  const part = text.slice(from, from + length);
  const rest = text.slice(from + length);
  if (how === 'cut') return text.slice(0, from);
  return text.slice(0, from) + (how === 'remove' ? '' : how === 'repeat' ? part.repeat(3) : by) + rest;
}

describe.each(Object.entries(SOURCES))('a changed source in the format %s', (name, text) => {
  const format = FORMATS.find((each) => each.name === name)!;

  it('gives entries that are read or rejected with a reason, or an error with a code', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const source = sourceOf({ 'file.txt': changes.reduce(changed, text) });
        try {
          await format.recognises(source);
          for await (const { source: place, record, notes } of format.read(source)) {
            expect(place).not.toBe('');
            for (const { code } of notes) expect(NOTES[code]).toBeDefined();
            if (record === null) expect(notes.at(-1)!.code).toMatch(/^entry-/);
            if (record?.kind !== 'item' || name === 'ndjson') continue;
            for (const { data } of record.widgets) compile(data).score({ value: ['0'] });
          }
        } catch (error) {
          if (!(error instanceof Unreadable)) throw error;
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

/** The paths of all members and entries below a value. */
function* pathsIn(value: unknown, path: string[] = []): Generator<string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* pathsIn(member, [...path, name]);
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: Json): Json {
  if (name === undefined) return by;
  const copy = structuredClone(value) as Record<string, Json>;
  copy[name] = replaced(copy[name], rest, by);
  return copy;
}

/** String and Number cannot convert the objects. */
const ODD: Json[] = [{ toString: 1, valueOf: 1 }, [{ toString: 1 }, null, [[]]]];

describe.each(FORMATS.filter(({ write }) => write).map((format) => [format.name, format] as const))(
  'an export in the format %s',
  (_, format) => {
    it.each(deliveredQuestions().map(({ type, definition }) => [type, definition] as const))(
      'writes a %s with an odd value in any member',
      async (type, definition) => {
        const failed: string[] = [];
        for (const path of pathsIn(definition))
          for (const odd of path[0] === 'type' ? [] : ODD)
            try {
              const data = replaced(definition, path, odd) as { type: string };
              await writeWith(format, [itemOf('one', data)]);
            } catch (error) {
              failed.push(`${path.join('/')}: ${(error as Error).message}`);
            }
        expect(failed).toEqual([]);
      },
    );
  },
);
