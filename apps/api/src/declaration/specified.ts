import rows from './specified-operations.json';

/**
 * The operations of the specification, implemented or not. `test/spec` compares this list with the specification's
 * transcription.
 */
export const specified = rows as readonly { path: string; action: 'get' | 'set' | 'update'; when?: string }[];
