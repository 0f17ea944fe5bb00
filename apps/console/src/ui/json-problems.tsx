import { Anchor, List, Text } from '@mantine/core';
import { MAX_PROBLEMS, type Problem } from './json-lint';
import type { JsonTexts } from './json-texts';

/** A problem with its place for people. */
export interface PlacedProblem extends Problem {
  line: number;
  column: number;
}

interface ProblemsProps {
  t: JsonTexts;
  /** Undefined while the text is checked. */
  problems: readonly PlacedProblem[] | undefined;
  /** The problem at the cursor. */
  current?: PlacedProblem;
  goTo: (problem: PlacedProblem) => void;
}

/** The problems of a text as a list, for keyboards and screen readers. Pressing one moves the cursor to its place. */
export function JsonProblems({ t, problems, current, goTo }: ProblemsProps) {
  const spelt = ({ line, column, message }: PlacedProblem) => t('place', line, column, message);
  const count = (severity: Problem['severity']) => problems?.filter((each) => each.severity === severity).length ?? 0;
  const [errors, warnings] = [count('error'), count('warning')];
  const summary = [
    ...(errors > 0 ? [t('errors', errors)] : []),
    ...(warnings > 0 ? [t('warnings', warnings)] : []),
  ].join(', ');
  return (
    <>
      <Text size="sm" role="status">
        {problems ? summary || t('sound') : t('checking')}
        {current ? ` – ${spelt(current)}` : ''}
      </Text>
      {problems && problems.length > 0 && (
        <List
          size="sm"
          aria-label={t('problems')}
          style={{ maxHeight: 160, overflow: 'auto' }}
          listStyleType="none"
          className="wrap"
        >
          {problems.map((problem) => (
            <List.Item key={`${problem.from} ${problem.message}`}>
              <b>{t(problem.severity)}</b>{' '}
              <Anchor component="button" type="button" size="sm" ta="start" onClick={() => goTo(problem)}>
                {spelt(problem)}
              </Anchor>
            </List.Item>
          ))}
        </List>
      )}
      {problems && problems.length >= MAX_PROBLEMS && <Text size="sm">{t('more', MAX_PROBLEMS)}</Text>}
      <Text size="xs" c="dimmed">
        {t('keys')}
      </Text>
    </>
  );
}
