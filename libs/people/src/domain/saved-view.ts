/** Filters of a list that somebody keeps under a name. */
export interface SavedView {
  reference: string;
  /** Of which list it is: `items`. */
  screen: string;
  /** Id of the author who keeps it; null: of somebody who is forgotten. */
  owner: string | null;
  /** Everybody of the organisation sees it. Otherwise only its owner does. */
  isShared: boolean;
  name: string;
  /** The filters as the address of the list has them, as JSON. */
  address: string;
  updatedAt: number;
}

export const MAX_VIEWS = 200;
export const MAX_ADDRESS = 10_000;
