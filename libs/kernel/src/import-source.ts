/**
 * The member of an item's metadata that has the item as its source had it. It is for exports alone: it never leaves with content for
 * learners (decision 96).
 */
export const IMPORT_SOURCE = 'import_source';
