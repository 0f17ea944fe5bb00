import rows from './specified-operations.json';

/** The operations of the specification, built or not. `test/spec` holds this list against its transcription. */
export const specified = rows as readonly { path: string; action: 'get' | 'set' | 'update'; when?: string }[];
