import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { allowedOfQuestion } from '../../libs/delivery/src/domain/allowed-members';
import { isShown } from '#delivery';
import { formatOf, openSource } from '#interchange';
import { type JsonObject } from '#kernel';
import { questionPage } from './support/suite';

/** Our own sources, and those of the folder in the environment. */
const FOLDERS = [join(__dirname, '../interchange/examples'), process.env.INTERCHANGE_EXAMPLES_DIR].filter(
  (folder) => folder !== undefined,
);
/** A placeholder for files of packages and of other hosts, which tests never fetch. */
const PLACEHOLDER_IMAGE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(xml|txt|csv)$/.test(path))
    .sort();

/** The questions of a file, with a picture at each address. */
async function questionsIn(path: string): Promise<{ reference: string; data: JsonObject & { type: string } }[]> {
  const source = await openSource(path);
  const questions: { reference: string; data: JsonObject & { type: string } }[] = [];
  for await (const { record } of (await formatOf(source)).read(source))
    if (record?.kind === 'item')
      for (const { reference, type, data } of record.widgets)
        if (isShown(type))
          questions.push({
            reference,
            data: JSON.parse(
              JSON.stringify({ ...data, type }).replace(
                /itembank-asset:[\w./-]+|https?:\/\/[^"'\\<>]+|[\w$/%.-]+\.(png|svg)[^"'\\<>]*/g,
                PLACEHOLDER_IMAGE,
              ),
            ) as JsonObject & { type: string },
          });
  await source.close();
  return questions;
}

/** Authors use headings of any level, and pictures without a description. */
const withoutRulesOfAuthors = (violations: string[]) =>
  violations.filter((violation) => !/^(heading-order|image-alt)/.test(violation));

describe.each(FOLDERS)('imported questions of %s', (folder) => {
  const page = questionPage();

  it.each(filesOf(folder))('are all shown without accessibility violations and console messages: %s', async (file) => {
    for (const { reference, data } of await questionsIn(join(folder, file))) {
      await page.show({
        type: data.type,
        question: allowedOfQuestion(data, data.type),
        heading: { level: 3, text: 'Question 1' },
      });
      expect([reference, withoutRulesOfAuthors(await page.axeViolations()), await page.complaints()]).toEqual([
        reference,
        [],
        [],
      ]);
      if (process.env.TEST_PICTURES)
        await page.question.screenshot({ path: join(process.env.TEST_PICTURES, `imported-${reference}.png`) });
    }
  });
});
