/** The operation that takes an import back, as history names it. */
export const REVERT_IMPORT = 'set itembank/imports/revert';
