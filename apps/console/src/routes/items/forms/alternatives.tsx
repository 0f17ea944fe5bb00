import { Box, Button, Fieldset, Group, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Data, type FormProps, listOf, moved, replaced, validationOf, withMembers, without } from './data';
import { RowButtons } from './fields';
import { useFormTexts } from './texts';

interface AlternativesProps extends FormProps {
  /** The value of a new answer. */
  fresh: unknown;
  /** The fields of an answer. */
  children: (value: unknown, set: (value: unknown) => void) => ReactNode;
}

/** Further accepted answers, which may give other points. */
export function Alternatives({ data, change, fresh, children }: AlternativesProps) {
  const t = useFormTexts();
  const validation = validationOf(data);
  const list = listOf<Data>(validation.alt_responses);
  const setList = (next: Data[]) =>
    change({ ...data, validation: withMembers(validation, { alt_responses: next.length > 0 ? next : undefined }) });
  return (
    <>
      {list.map((answer, index) => {
        const name = t('alternative', index + 1);
        const set = (members: Data) => setList(replaced(list, index, { ...answer, ...members }));
        return (
          <Fieldset key={index} legend={name}>
            <Group align="flex-end" gap="xs">
              <Box flex="1 1 12rem" miw={0}>
                {children(answer.value, (value) => set({ value }))}
              </Box>
              <NumberInput
                label={t('score')}
                w={90}
                min={0}
                value={Number(answer.score ?? 1)}
                onChange={(score) => set({ score: Number(score) || 0 })}
              />
              <RowButtons
                name={name}
                index={index}
                count={list.length}
                min={0}
                move={(from, to) => setList(moved(list, from, to))}
                remove={(at) => setList(without(list, at))}
              />
            </Group>
          </Fieldset>
        );
      })}
      <Button variant="default" onClick={() => setList([...list, { score: 1, value: fresh }])}>
        {t('add_alternative')}
      </Button>
    </>
  );
}
