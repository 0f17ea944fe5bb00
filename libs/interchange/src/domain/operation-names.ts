/** The name of the operation that reverts an import in the history. */
export const REVERT_IMPORT = 'set itembank/imports/revert';
