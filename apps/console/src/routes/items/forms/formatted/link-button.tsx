import { ActionIcon, Stack, TextInput } from '@mantine/core';
import type { Mark } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { type FormEvent, useState } from 'react';
import { Dialog, Actions } from '../../../../ui/dialog';
import { schema } from './schema';
import { useFormattedTexts } from './texts';

const link = schema.marks['link']!;
const SCHEMES = ['http:', 'https:', 'mailto:'];

/** Makes a link of the selected words, or takes the link at the caret away. */
export function LinkButton({ view, state }: { view: EditorView | undefined; state: EditorState | undefined }) {
  const t = useFormattedTexts();
  const [isOpen, setOpen] = useState(false);
  const [address, setAddress] = useState('');
  const [isWrong, setWrong] = useState(false);
  const present = state && linkAt(state);
  const isPossible = present !== undefined || state?.selection.empty === false;

  function use() {
    if (!view || !isPossible) return;
    if (present) {
      view.dispatch(view.state.tr.removeMark(present.from, present.to, link));
      view.focus();
      return;
    }
    setAddress('');
    setWrong(false);
    setOpen(true);
  }

  function add(event: FormEvent) {
    event.preventDefault();
    const href = address.trim();
    if (!URL.canParse(href) || !SCHEMES.includes(new URL(href).protocol)) return setWrong(true);
    const { from, to } = view!.state.selection;
    view!.dispatch(view!.state.tr.addMark(from, to, link.create({ href })));
    setOpen(false);
  }

  return (
    <>
      <ActionIcon
        variant={present ? 'filled' : 'default'}
        aria-label={t('link')}
        title={t(isPossible ? 'link' : 'link_help')}
        aria-pressed={present !== undefined}
        aria-disabled={!isPossible}
        data-disabled={!isPossible || undefined}
        tabIndex={-1}
        onMouseDown={(event) => event.preventDefault()}
        onClick={use}
      >
        <svg viewBox="0 0 16 16" width={16} height={16} fill="none" stroke="currentColor" strokeWidth={1.5} aria-hidden>
          <path
            d="M6.5 9.5l3-3M7.5 4.5l1-1a2.8 2.8 0 0 1 4 4l-1 1M8.5 11.5l-1 1a2.8 2.8 0 0 1-4-4l1-1"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      </ActionIcon>
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t('link')} size="md">
        <form onSubmit={add} noValidate>
          <Stack>
            <TextInput
              label={t('link_address')}
              description={t('link_example')}
              error={isWrong && t('link_wrong')}
              value={address}
              onChange={(event) => setAddress(event.currentTarget.value)}
              data-autofocus
            />
            <Actions cancel={() => setOpen(false)}>{t('link_add')}</Actions>
          </Stack>
        </form>
      </Dialog>
    </>
  );
}

/** The link in the selection, or the whole link around the caret. */
function linkAt({ doc, selection: { from, to, empty, $from } }: EditorState): { from: number; to: number } | undefined {
  if (!empty) return doc.rangeHasMark(from, to, link) ? { from, to } : undefined;
  const mark = link.isInSet($from.marks());
  if (!mark) return undefined;
  const { parent } = $from;
  const has = (index: number) => index >= 0 && index < parent.childCount && isSame(mark, parent.child(index).marks);
  let first = $from.index();
  // At the end of a link, the caret is before the next node.
  if (!has(first)) first -= 1;
  let last = first;
  while (has(first - 1)) first -= 1;
  while (has(last + 1)) last += 1;
  const start = $from.start();
  const offset = (index: number) =>
    Array.from({ length: index }, (_, at) => parent.child(at).nodeSize).reduce((sum, size) => sum + size, 0);
  return { from: start + offset(first), to: start + offset(last + 1) };
}

const isSame = (mark: Mark, marks: readonly Mark[]): boolean => marks.some((each) => each.eq(mark));
