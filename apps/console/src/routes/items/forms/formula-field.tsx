import { Button, Stack, TextInput } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { ContentFrame } from '../../../frame/content-frame';
import type { ShownItem } from '../../../frame/protocol';
import { textOf } from './data';
import { useFormulaTexts } from './formula-texts';

interface FormulaFieldProps {
  label: string;
  /** LaTeX. */
  value: string;
  change: (value: string) => void;
}

/** The signs that authors can insert. */
const SYMBOLS = ['basic', 'algebra', 'trig', 'geometry', 'calculus', 'greek', 'sets'];

/** A formula as LaTeX. A button opens the field in which learners type formulas. */
export function FormulaField({ label, value, change }: FormulaFieldProps) {
  const t = useFormulaTexts();
  const frame = useId();
  const [isOpen, setOpen] = useState(false);
  // The last formula that the form has sent to the frame. It sends back none that the frame reports, so the caret stays.
  const [sent, setSent] = useState({ value, version: 0 });
  const [inFrame, setInFrame] = useState(value);
  const send = () => setSent({ value, version: sent.version + 1 });
  if (value !== inFrame) {
    setInFrame(value);
    send();
  }
  const name = t('formula');
  const items = useMemo((): ShownItem[] => {
    const data = { type: 'formulaV2', stimulus: name, symbols: SYMBOLS };
    // The frame shows the same content only once, so each version needs a reference of its own.
    const reference = String(sent.version);
    return [{ columns: [{ width: 100, widgets: [{ kind: 'question', data, reference, value: sent.value }] }] }];
  }, [name, sent]);
  const receive = (formula: unknown) => {
    const latex = textOf(formula);
    setInFrame(latex);
    change(latex);
  };
  return (
    <Stack gap={4} flex="1 1 15rem">
      <TextInput label={label} value={value} onChange={(event) => change(event.currentTarget.value)} />
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        aria-controls={frame}
        onClick={() => {
          send();
          setOpen(!isOpen);
        }}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('type_as_formula')}
      </Button>
      <div id={frame}>
        {isOpen && <ContentFrame items={items} mode="answer" changed={(_, formula) => receive(formula)} title={name} />}
      </div>
    </Stack>
  );
}
