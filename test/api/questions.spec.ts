import { anEngine } from '../support/engines';
import { failure, SUCCESS } from '../support/failure';
import { bankOfSuite, type Names, widgetJourneys } from './widget-journeys';

const names: Names = { list: 'questions', widgetType: 'response', other: 'features', types: ['mcq', 'shorttext'] };

describe.each(anEngine(__filename))('questions on %s', (engine) => {
  const bank = bankOfSuite(engine, names);
  widgetJourneys(names, bank);

  it.each<[string, Record<string, unknown>]>([
    [
      'mcq',
      {
        stimulus: 'Which are <em>even</em>?',
        options: [
          { label: '\\(4+13\\)', value: '0' },
          { label: '8', value: '1' },
        ],
        multiple_responses: true,
        ui_style: { type: 'horizontal', columns: 2 },
        validation: { scoring_type: 'partialMatch', valid_response: { score: 1, value: ['1'] }, penalty: 0.5 },
        metadata: { distractor_rationale_response_level: ['', 'Right'], acknowledgements: '<i>Us</i>' },
      },
    ],
    [
      'clozetext',
      {
        template: '<p>{{response}} and {{response}}</p>',
        validation: { valid_response: { value: ['a', null] }, alt_responses: [{ score: 1, value: ['b', ''] }] },
      },
    ],
    [
      'simpleshading',
      { canvas: { cell_height: 2 }, validation: { valid_response: { value: { method: 'byCount', value: 2 } } } },
    ],
    [
      'hotspot',
      { areas: [[{ x: 31.571428571429, y: 94.594594594595 }]], image: { source: '//assets.example.org/a.png' } },
    ],
    ['a type of the future', { anything: [{ goes: true }] }],
  ])('keep a definition of %s', async (type, definition) => {
    const reference = `of-${type.replaceAll(' ', '-')}`;
    const data = { type, ...definition };
    await bank.set({ reference, type, data });
    expect(await bank.read(reference)).toEqual({ reference, type, widget_type: 'response', data, metadata: null });
  });

  it('cannot be read from a pool that does not exist', async () => {
    expect(await bank.client.get('itembank/questions', { item_pool_id: 'none' })).toMatchObject(
      failure(30001, '/item_pool_id'),
    );
  });

  it('change the maximum scores of their items when their type changes', async () => {
    const data = { options: [], validation: { valid_response: { score: 3, value: ['a'] } } };
    await bank.set({ reference: 'scored', type: 'mcq', data });
    await bank.setItem('scored-item', 'scored');
    const scores = async () => {
      const include = { items: ['max_score'] };
      return (await bank.client.get('itembank/items', { references: ['scored-item'], include })).data[0].max_score;
    };
    expect(await scores()).toBe(3);
    expect(
      await bank.client.set('itembank/questions', {
        questions: [{ reference: 'scored', type: 'plaintext', data: {} }],
      }),
    ).toMatchObject(SUCCESS);
    expect(await scores()).toBe(0);
  });
});
