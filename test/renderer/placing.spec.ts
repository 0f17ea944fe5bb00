import type { Locator } from 'playwright-core';
import type { Json, JsonObject } from '#kernel';
import { association } from './cases/association';
import { classification } from './cases/classification';
import { clozeassociation } from './cases/clozeassociation';
import { imageclozeassociation } from './cases/imageclozeassociation';
import { type PlacingCase, placingSuite } from './support/placing';
import { questionPage, shownOf } from './support/suite';

placingSuite(clozeassociation);
placingSuite(association);
placingSuite(classification);
placingSuite(imageclozeassociation);

const WIDE = { width: '600px' };

/** The same case in another layout. */
const laidOut = (given: PlacingCase, style: JsonObject) => {
  const shown = shownOf(given);
  return {
    ...shown,
    question: { ...shown.question, ui_style: { ...(shown.question.ui_style as JsonObject), ...style } },
  };
};

describe.each(
  [association[0], clozeassociation[0], classification[0], imageclozeassociation[0]].map(
    (given) => [given.type, given] as const,
  ),
)('the layout of %s', (_, given) => {
  const page = questionPage();
  const pool = () => page.question.getByRole('group', { name: 'Possible answers', exact: true });
  const [text, name] = given.place[0]!;
  const place = () => page.question.getByRole('button', { name: `${name}: empty`, exact: true });

  it.each([
    ['top', {}, 'above'],
    ['bottom', {}, 'below'],
    ['left', {}, 'left'],
    ['right', {}, 'right'],
    [undefined, {}, 'below'],
    ['somewhere', {}, 'below'],
    ['left', { direction: 'rtl' }, 'right'],
    ['right', { direction: 'rtl' }, 'left'],
  ] as const)(
    'has the possible responses on the side that the author wants: %s %j, %s the places',
    async (position, others, side) => {
      const style: JsonObject = position === undefined ? {} : { possibility_list_position: position };
      await page.show({ ...laidOut(given, style), ...others });
      expect(await sideOf(pool(), place())).toBe(side);
    },
  );

  it('has them above or below in a narrow window', async () => {
    await page.resize(320);
    try {
      await page.show(laidOut(given, { possibility_list_position: 'left' }));
      expect(await sideOf(pool(), place())).toBe('above');
      await page.show(laidOut(given, { possibility_list_position: 'right' }));
      expect(await sideOf(pool(), place())).toBe('below');
    } finally {
      await page.resize();
    }
  });

  it('has handles unless the author disables them', async () => {
    const handle = async () =>
      (await page.pseudo(pool().getByRole('button', { name: text, exact: true }), '::before')).content;
    await page.show(shownOf(given));
    expect(await handle()).toBe('""');
    await page.show(laidOut(given, { show_drag_handle: true }));
    expect(await handle()).toBe('""');
    await page.show(laidOut(given, { show_drag_handle: false }));
    expect(await handle()).toBe('none');
  });
});

describe('a dragged response', () => {
  const page = questionPage();

  it('follows the pointer where it was taken, with its size and its handle', async () => {
    await page.show(shownOf(association[0]));
    const source = page.question.getByRole('button', { name: 'Africa', exact: true });
    const from = (await source.boundingBox())!;
    const { mouse } = page.page;
    await mouse.move(from.x + 5, from.y + 7);
    await mouse.down();
    await mouse.move(from.x + 205, from.y + 57, { steps: 4 });
    const picture = page.question.locator('.dragged');
    expect(await picture.boundingBox()).toEqual({ ...from, x: from.x + 200, y: from.y + 50 });
    expect(await page.pseudo(picture, '::before')).toMatchObject({ content: '""' });
    await mouse.up();
    expect(await picture.count()).toBe(0);
  });
});

describe('the table of classification', () => {
  const page = questionPage();
  const cell = () => page.question.getByRole('cell').first();
  const height = async (style: JsonObject) => {
    await page.show(laidOut(classification[0], style));
    return (await cell().boundingBox())!.height;
  };

  it("has cells of the author's minimum height, or of 60 pixels", async () => {
    expect(await height({})).toBe(60);
    expect(await height({ row_min_height: '150px' })).toBe(150);
    expect(await height({ row_min_height: 'tall' })).toBe(60);
  });

  it('names cells by row and column in a narrow window, which has no row of titles', async () => {
    await page.resize(320);
    try {
      await page.show(shownOf(classification[1]!));
      expect(await page.question.getByRole('columnheader').count()).toBe(0);
      for (const title of ['Class: Mammals', 'Water', 'Land', 'Class: Fish'])
        expect(await page.question.getByText(title, { exact: true }).filter({ visible: true }).count()).toBeGreaterThan(
          0,
        );
    } finally {
      await page.resize();
    }
  });
});

describe('places on an image', () => {
  const page = questionPage();
  const pointing = shownOf(imageclozeassociation[1]!);
  const image = () => page.question.getByRole('img');
  const numbers = () => page.question.getByText(/^\d$/).filter({ visible: true });

  it("have pointers on the author's side, which do not cover what they point at", async () => {
    await page.show(pointing);
    const sides: string[] = [];
    for (const place of await page.question.getByRole('button', { name: /^Blank/ }).all()) {
      const spot = place.locator('..');
      const { x, y, width, height } = (await spot.boundingBox())!;
      const pointer = await page.pseudo(spot, '::after');
      const across = parseFloat(pointer.left) + parseFloat(pointer.width) / 2;
      const down = parseFloat(pointer.top) + parseFloat(pointer.height) / 2;
      const side =
        across < 0 ? 'left' : across > width ? 'right' : down < 0 ? 'top' : down > height ? 'bottom' : 'none';
      sides.push(`${side} of ${await page.pressedAt(x + across, y + down)}`);
    }
    expect(sides).toEqual(['top of IMG', 'right of IMG', 'bottom of IMG', 'left of IMG']);
  });

  it('do not point anywhere by default', async () => {
    for (const pointer of ['none', 'up', null]) {
      await page.show({
        ...pointing,
        question: { ...pointing.question, response_container: { pointer }, response_containers: [] },
      });
      const place = page.question.getByRole('button', { name: /^Blank/ }).first();
      expect(await page.pseudo(place.locator('..'), '::after')).toMatchObject({ content: 'none' });
    }
  });

  it('have numbers on the image and in the list below it, only in a narrow window', async () => {
    await page.show(pointing);
    expect(await numbers().count()).toBe(0);
    await page.resize(320);
    try {
      expect(await numbers().allTextContents()).toEqual(['1', '2', '3', '4', '1', '2', '3', '4']);
      const [whole, third] = [await image().boundingBox(), await numbers().nth(2).boundingBox()];
      expect(Math.round(((third!.x - whole!.x) / whole!.width) * 100)).toBe(10);
      expect(Math.round(((third!.y - whole!.y) / whole!.height) * 100)).toBe(60);
      expect(await sideOf(numbers().nth(6), image())).toBe('below');
    } finally {
      await page.resize();
    }
  });

  it('take as many responses as the author allows, and any number by default in the second version', async () => {
    const several = shownOf(imageclozeassociation[2]!);
    const place = async (name: string) => {
      await page.question.getByRole('button', { name, exact: true }).click();
      await page.question.getByRole('button', { name: /^Near: / }).click();
    };
    await page.show({ ...several, question: { ...several.question, max_response_per_zone: 2 } });
    for (const name of ['Venus', 'Neptune', 'Mercury']) await place(name);
    await page.announced('Near is full.');
    expect(await page.value()).toEqual([['Venus', 'Neptune'], []]);
    await page.show(several);
    for (const name of ['Venus', 'Neptune', 'Mercury']) await place(name);
    expect(await page.value()).toEqual([['Venus', 'Neptune', 'Mercury'], []]);
  });
});

/** The side of an element on which another one lies. */
async function sideOf(element: Locator, other: Locator): Promise<'above' | 'below' | 'left' | 'right' | 'across'> {
  const [one, two] = [(await element.boundingBox())!, (await other.boundingBox())!];
  if (one.y + one.height <= two.y) return 'above';
  if (one.y >= two.y + two.height) return 'below';
  if (one.x + one.width <= two.x) return 'left';
  return one.x >= two.x + two.width ? 'right' : 'across';
}

describe('long words and wide places', () => {
  const page = questionPage();
  const long = 'Rechtsschutzversicherungsgesellschaftenvorstandssitzungen';
  const src = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400"/>')}`;
  const onImage = { image: { src, alt: 'Map' }, response_positions: [{ x: 80, y: 10 }] };

  it.each<[type: string, question: JsonObject, value: Json]>([
    ['association', { stimulus_list: [long], possible_responses: [long] }, [long]],
    ['clozeassociation', { template: 'a {{response}}', possible_responses: ['x'], response_container: WIDE }, null],
    ['clozeassociation', { template: 'a {{response}}', possible_responses: [long] }, [long]],
    [
      'clozeassociation',
      {
        template: 'a {{response}}',
        possible_responses: ['x'],
        response_container: WIDE,
        ui_style: { possibility_list_position: 'right' },
      },
      null,
    ],
    ['imageclozeassociation', { ...onImage, possible_responses: [long], response_container: WIDE }, [long]],
    ['imageclozetext', { ...onImage, response_container: WIDE }, null],
    ['numberline', { line: { min: 0, max: 1 }, points: [long] }, [{ point: long, position: 0 }]],
    ['numberline', { line: { min: 0, max: 1 }, points: [long] }, null],
  ])('fit into a narrow window: %s %j', async (type, question, value) => {
    await page.resize(320);
    try {
      for (const direction of ['ltr', 'rtl'] as const) {
        await page.show({ type, question, value, direction });
        expect(await page.overflow()).toBe(0);
      }
    } finally {
      await page.resize();
    }
  });
});

describe('the width that an author gives to places', () => {
  const page = questionPage();
  const src = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"/>')}`;
  const onImage = { image: { src, alt: 'Map' }, response_positions: [{ x: 10, y: 10 }] };

  it.each<[type: string, within: string, question: JsonObject]>([
    ['clozeassociation', 'a text', { template: 'a {{response}}' }],
    ['clozeassociation', 'a table', { template: '<table><tr><td>a</td><td>{{response}}</td></tr></table>' }],
    ['imageclozeassociation', 'an image', onImage],
    ['imageclozeassociationV2', 'an image', onImage],
  ])('holds for empty places, in wide and narrow windows: %s within %s', async (type, _, question) => {
    const shown = { ...question, possible_responses: ['x'], response_container: { width: '150px' } };
    try {
      for (const width of [undefined, 320]) {
        await page.resize(width);
        await page.show({ type, question: shown });
        const box = await page.question.locator('.place, .zone').boundingBox();
        expect([width, box?.width]).toEqual([width, 150]);
      }
    } finally {
      await page.resize();
    }
  });
});

describe('the handles of draggable responses', () => {
  const page = questionPage();

  it('stay visible in forced colours', async () => {
    await page.show(shownOf(clozeassociation[0]));
    await page.forcedColours(true);
    try {
      const handle = `getComputedStyle(document.querySelector('#shown').renderRoot.querySelector('button.response'), '::before')`;
      expect(await page.page.evaluate(`${handle}.backgroundImage`)).toContain('radial-gradient');
    } finally {
      await page.forcedColours(false);
    }
  });
});
