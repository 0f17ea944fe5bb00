import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bash, type Place } from '../support/processes';

/* Runs a page of the documentation: its `sh` blocks are commands, its `json` blocks the expected answers. */

/** A command of a page, and the answer below it. */
interface Step {
  /** Line of the page at which the command begins. */
  line: number;
  command: string;
  /** Absent if the page shows no answer. */
  answer?: unknown;
}

/** The result of a step. */
interface Outcome {
  code: number;
  /** Parsed if it is JSON. */
  stdout: unknown;
  /** Parsed if it is JSON. */
  stderr: unknown;
}

/**
 * The steps of a page in order.
 * @param shown languages of blocks that do not run: commands that only an administrator of the machine may use.
 * @throws Error for any other block that is neither a command nor an answer, so that nothing goes unchecked.
 */
export function stepsOf(markdown: string, shown: readonly string[] = []): Step[] {
  const steps: Step[] = [];
  let open: Step | undefined;
  for (const { index, 1: language, 2: text = '' } of markdown.matchAll(/^```(.*)\n([^]*?)^```$/gm)) {
    const line = markdown.slice(0, index).split('\n').length + 1;
    if (language === 'sh') steps.push((open = { line, command: text }));
    else if (language === 'json' && open) {
      open.answer = JSON.parse(text);
      open = undefined;
    } else if (!shown.includes(language!))
      throw new Error(`Line ${line}: a block of ${language || 'no language'} that answers no command.`);
  }
  return steps;
}

/** Whether the step expects an error answer. */
const isRefused = ({ answer }: Pick<Step, 'answer'>) =>
  (answer as { meta?: { status?: boolean } } | undefined)?.meta?.status === false;

/** Runs the steps in one bash, as a reader does. Stops after the first step with an unexpected exit code. */
export async function perform(steps: readonly Step[], { settings, ...place }: Place): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'itembank-'));
  try {
    const script = steps.map((step, index) => {
      const file = join(folder, String(index));
      return [
        `{ ${step.command.trimEnd()}`,
        `} >${file}.out 2>${file}.err </dev/null; echo $? >${file}.code`,
        `[ "$(cat ${file}.code)" = ${isRefused(step) ? 1 : 0} ] || exit 0`,
      ].join('\n');
    });
    const { stderr } = await bash(script.join('\n'), { ...place, settings: { ...settings, TMPDIR: folder } });
    // A syntax error of bash, such as an unclosed quote.
    if (stderr !== '') throw new Error(stderr);
    const outputOf = (file: string) => readFileSync(join(folder, file), 'utf8');
    const outcomes: Outcome[] = [];
    for (const [index, step] of steps.entries()) {
      const code = Number(outputOf(`${index}.code`));
      outcomes.push({ code, stdout: value(outputOf(`${index}.out`)), stderr: value(outputOf(`${index}.err`)) });
      if (code !== (isRefused(step) ? 1 : 0)) break;
    }
    return outcomes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function value(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @throws Error with the line of the page that is wrong. */
export function expectPromised({ line, command, answer }: Step, { code, stdout, stderr }: Outcome): void {
  const promised = pattern(answer ?? '');
  try {
    if (isRefused({ answer }))
      expect({ code, stdout, stderr }).toMatchObject({ code: 1, stdout: '', stderr: promised });
    else expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: promised, stderr: '' });
  } catch (error) {
    throw new Error(`Line ${line} of the page is wrong:\n\n${command}\n${(error as Error).message}`);
  }
}

/** `…` matches anything, alone or within a text. */
function pattern(shown: unknown): unknown {
  if (shown === '…') return expect.anything() as unknown;
  if (typeof shown === 'string' && shown.includes('…')) {
    const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return expect.stringMatching(new RegExp(`^${parts.join('[^]+')}$`)) as unknown;
  }
  if (Array.isArray(shown)) return shown.map(pattern);
  if (typeof shown !== 'object' || shown === null) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, member]) => [name, pattern(member)]));
}
