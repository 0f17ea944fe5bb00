/** The beginning of the names under which the device keeps marks that are not stored yet. */
export const KEPT_MARKS = 'itembank-mark:';
