import { PNG } from './writing';

const picture = PNG.toString('base64');

/** A quiz with a file, another line end, comments, CDATA and characters beyond the first plane. */
export const MOODLE_QUIZ = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\r\n<quiz>\r\n<!-- 😀 <question type="none"> -->
<question type="category"><category><text>$course$/top/😀 Maths</text></category></question>
  <question   type='shortanswer' >\r\n
    <name><text>One 😀</text></name><questiontext format="html"><text><![CDATA[<p onclick="run()">What is it?<script>run()</script>
    <img src="@@PLUGINFILE@@/map.png" alt="a &amp; b"></p>]]></text>
    <file name="map.png" path="/" encoding="base64">${picture}</file></questiontext>
    <!-- kept --><usecase>0</usecase><hint format="html"><text>Look twice ^( ^ &lt;</text></hint>
    <answer fraction="100"><text>Map*</text><feedback format="html"><text>Good</text></feedback></answer>
    <plugin_x><odd a="1"/></plugin_x>
  </question><question type="essay"><name><text>Two</text></name><questiontext><text>Write.</text></questiontext></question>
  <question type="truefalse"><name><text>Three</text></name><questiontext><text>Is it?</text></questiontext>
    <answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer></question>
</quiz>
`;

const NAMESPACE = 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0';
const item = (identifier: string, body: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by hand. -->
<qti-assessment-item xmlns="${NAMESPACE}" identifier="${identifier}"   title='One of "two"' adaptive="false" time-dependent="false">
  <qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="identifier">
    <qti-correct-response><qti-value>b</qti-value></qti-correct-response>
  </qti-response-declaration>
  <qti-outcome-declaration identifier="SCORE" cardinality="single" base-type="float"/>
  <qti-assessment-stimulus-ref identifier="s" href="../texts/the%20sea.xml"/>
  <qti-stylesheet href="../style/own.css" type="text/css"/>
  <qti-item-body>${body}
    <qti-choice-interaction response-identifier="RESPONSE" max-choices="1"><qti-prompt>Which?</qti-prompt>
      <qti-simple-choice identifier="a">A</qti-simple-choice>
      <qti-simple-choice identifier="b" fixed="true">B</qti-simple-choice>
    </qti-choice-interaction>
  </qti-item-body>
  <qti-response-processing template="https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml"/>
</qti-assessment-item>
`;

const unscored = (identifier: string, interaction: string, rules: string) =>
  item(identifier, '')
    .replace(/<qti-choice-interaction[^]*<\/qti-choice-interaction>/, interaction || '$&')
    .replace(/<qti-response-processing[^]*\/>/, rules);

/** Items that cannot be scored here, by their paths, with the note on their scoring. */
export const UNSCORED_ITEMS: Record<string, [markup: string, note: string]> = {
  'random.xml': [
    unscored(
      'random',
      '',
      `<qti-response-processing><qti-set-outcome-value identifier="SCORE"><qti-random-float min="0" max="1"/></qti-set-outcome-value></qti-response-processing>`,
    ),
    'scoring-lost',
  ],
  'without-rules.xml': [unscored('without-rules', '', '<!-- A person scores it. -->'), 'scoring-missing'],
  'slider.xml': [
    unscored(
      'slider',
      '<qti-slider-interaction response-identifier="RESPONSE" lower-bound="0" upper-bound="10"><qti-prompt>How much?</qti-prompt></qti-slider-interaction>',
      '<qti-response-processing template="https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml"/>',
    ),
    'interaction-lost',
  ],
};

/** Two items that share a passage, a style sheet and a picture, and a test of both. */
export const QTI_PACKAGE: Record<string, string | Buffer> = {
  'imsmanifest.xml': '<manifest xmlns="http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1"/>',
  'exam/items/one.xml': item('one', '<p><img src="../media/the map.png" alt="A map"/></p>'),
  'exam/items/two.xml': item('two', '<p>No picture.</p>'),
  'exam/media/the map.png': PNG,
  'exam/style/own.css': 'p { color: #123456 }\r\n',
  'exam/texts/the sea.xml': `<qti-assessment-stimulus xmlns="${NAMESPACE}" identifier="sea" title="The sea">
  <qti-stimulus-body><p>Salt &amp; water: <img src="../media/the map.png" alt=""/></p></qti-stimulus-body></qti-assessment-stimulus>`,
  'exam/test.xml': `<qti-assessment-test xmlns="${NAMESPACE}" identifier="exam" title="Exam">
  <qti-test-part identifier="p" navigation-mode="nonlinear" submission-mode="simultaneous">
    <qti-assessment-section identifier="s" title="S" visible="true">
      <qti-assessment-item-ref identifier="one" href="items/one.xml"/>
      <qti-assessment-item-ref identifier="two" href="items/two.xml"/>
    </qti-assessment-section></qti-test-part></qti-assessment-test>`,
};
