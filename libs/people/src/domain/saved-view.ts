/** Filters of a list that somebody saved under a name. */
export interface SavedView {
  reference: string;
  /** The list that it filters, such as `items`. */
  screen: string;
  /** Id of the author who saved it; null after the account was removed. */
  owner: string | null;
  /** Whether everybody of the organisation sees it. Otherwise only its owner does. */
  isShared: boolean;
  name: string;
  /** The filters as in the address of the list, in JSON. */
  address: string;
  updatedAt: number;
}

export const MAX_VIEWS = 200;
export const MAX_ADDRESS = 10_000;
