/** The operation that reverts an import, as the history names it. */
export const REVERT_IMPORT = 'set itembank/imports/revert';
