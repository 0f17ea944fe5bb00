/** Members of the page API that are not supported, each with the reason if there is one. Pages may still call them. */

/** Tags are notes of authors, and could reveal the right answer. */
const NO_TAGS = 'pages get no tags';
const NO_RECORDING = 'nothing is recorded';

export const UNSUPPORTED_OF_APP: Readonly<Record<string, string>> = {
  addItems: 'the items of a session are those of the signed request',
  annotationsApp: 'learners cannot annotate items',
  eventsApp: 'sessions cannot be controlled from outside',
  getTags: NO_TAGS,
};

export const UNSUPPORTED_OF_PLAYER: Readonly<Record<string, string>> = { append: '' };

export const UNSUPPORTED_OF_QUESTION: Readonly<Record<string, string>> = {
  record: NO_RECORDING,
  recordingDetails: NO_RECORDING,
  stop: NO_RECORDING,
};

/** Functions that throw an error. The error names the function and gives the reason. */
export function refusing(names: Readonly<Record<string, string>>): Record<string, () => never> {
  return Object.fromEntries(
    Object.entries(names).map(([name, reason]) => [
      name,
      () => {
        throw new Error(`Itembank: ${name} is not supported${reason === '' ? '' : `, because ${reason}`}.`);
      },
    ]),
  );
}
