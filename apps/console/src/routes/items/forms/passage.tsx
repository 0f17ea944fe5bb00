import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type FormProps, isOn, listOf, moved, replaced, textOf, without } from './data';
import { RowButtons } from './fields';
import { HtmlField } from './html-field';
import { useFormTexts } from './texts';

/** A text that several questions share, as a whole or page by page. */
export function PassageForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const isPaged = isOn(data.paginated_content);
  const pages = listOf(data.pages).map(textOf);
  const setPages = (next: string[]) => change({ ...data, pages: next });
  return (
    <Stack>
      <TextInput
        label={t('heading')}
        value={textOf(data.heading)}
        onChange={(event) => change({ ...data, heading: event.currentTarget.value })}
      />
      <Checkbox
        label={t('paged')}
        checked={isPaged}
        onChange={() =>
          change(
            isPaged
              ? { ...data, paginated_content: false, content: pages.join('\n') || data.content }
              : { ...data, paginated_content: true, pages: pages.length > 0 ? pages : [textOf(data.content)] },
          )
        }
      />
      {!isPaged && (
        <HtmlField
          label={t('content')}
          rows={8}
          value={textOf(data.content)}
          change={(content) => change({ ...data, content })}
        />
      )}
      {isPaged &&
        pages.map((page, index) => (
          <Stack key={index} gap={4}>
            <HtmlField
              label={t('page', index + 1)}
              rows={6}
              value={page}
              change={(text) => setPages(replaced(pages, index, text))}
            />
            <Group justify="flex-end">
              <RowButtons
                name={t('page', index + 1)}
                index={index}
                count={pages.length}
                move={(from, to) => setPages(moved(pages, from, to))}
                remove={(at) => setPages(without(pages, at))}
              />
            </Group>
          </Stack>
        ))}
      {isPaged && (
        <Button variant="default" onClick={() => setPages([...pages, ''])}>
          {t('add_page')}
        </Button>
      )}
    </Stack>
  );
}
