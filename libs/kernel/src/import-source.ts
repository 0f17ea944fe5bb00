/**
 * The member of an item's metadata with the item as it was in its source. Only exports use it; content for learners
 * never contains it (decision 96).
 */
export const IMPORT_SOURCE = 'import_source';
