import { anEngine } from '../support/engines';
import { failure } from '../support/failure';
import { bankOfSuite, type Names, widgetJourneys } from './widget-journeys';

const names: Names = {
  list: 'features',
  widgetType: 'feature',
  other: 'questions',
  types: ['sharedpassage', 'audioplayer'],
};

describe.each(anEngine(__filename))('features on %s', (engine) => {
  const bank = bankOfSuite(engine, names);
  widgetJourneys(names, bank);

  it.each<[string, Record<string, unknown>]>([
    ['audioplayer', { src: 'https://assets.example.org/story.mp3', waveform: '//assets.example.org/wave.png' }],
    ['calculator', { mode: 'scientific', ui_style: {} }],
    ['counter', { start: 0 }],
    ['customfeature', { js: '//assets.example.org/own.js', css: '//assets.example.org/own.css' }],
    ['formulainput', { symbols: ['basic', 'qwerty'] }],
    ['imagetool', { image: 'rectangle_ruler_15cm_english', buttonicon: 'ruler_15_inches' }],
    ['scrollablepassage', { heading: 'A', instructions_before: null }],
    ['sharedpassage', { heading: 'The sea', content: '<p>Waves &amp; wind</p>', pages: ['<p>1</p>', '<p>2</p>'] }],
    ['videoplayer', { src: 'https://video.example.org/1', videotype: 'youtube', width: 560 }],
  ])('keep a definition of %s', async (type, definition) => {
    const data = { type, ...definition };
    await bank.set({ reference: `of-${type}`, type, data });
    expect(await bank.read(`of-${type}`)).toEqual({
      reference: `of-${type}`,
      type,
      widget_type: 'feature',
      data,
      metadata: null,
    });
  });

  it('cannot be read from a pool that does not exist', async () => {
    expect(await bank.client.get('itembank/features', { item_pool_id: 'none' })).toMatchObject(
      failure(30001, '/item_pool_id'),
    );
  });

  it('are found by the questions filter of items, whose types include both kinds of widgets', async () => {
    await bank.set({ reference: 'passage' });
    await bank.setOther({ reference: 'question' });
    await bank.setItem('with-passage', 'passage', 'question');
    await bank.setItem('without-passage', 'question');
    const items = async (questions: object) => {
      const references = ['with-passage', 'without-passage'];
      return (await bank.client.get('itembank/items', { references, questions })).data.length;
    };
    expect(await items({ types: ['sharedpassage'] })).toBe(1);
    expect(await items({ references: ['passage'] })).toBe(1);
    expect(await items({ references: ['passage', 'question'] })).toBe(2);
  });
});
