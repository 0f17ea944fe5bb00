import rows from './specified-operations.json';

/**
 * The operations of the specification. `test/spec` compares this list with the specification's
 * transcription.
 */
export const specified = rows as readonly { path: string; action: 'get' | 'set' | 'update'; when?: string }[];
