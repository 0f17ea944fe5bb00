/** A tag of content. Type and name ignore case. */
export interface TagName {
  type: string;
  name: string;
}

/** One tag, or any tag of a type. */
export interface TagPattern {
  type: string;
  name?: string;
}

/** A condition on the tags of a record. An empty list is no condition. */
export interface TagQuery {
  /** All must match. */
  all: TagPattern[];
  /** At least one must match. */
  either: TagPattern[];
  /** None may match. */
  none: TagPattern[];
}

/** A stored tag of the bank. */
export interface Tag extends TagName {
  id: string;
  description: string | null;
  sortKey: number | null;
  updatedAt: number;
}

/** How much content of the bank carries a tag. */
export interface TagUse {
  items: number;
  activities: number;
}
