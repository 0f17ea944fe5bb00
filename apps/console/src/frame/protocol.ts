/** The messages between the console and the frame that shows content. */
export interface ShownWidget {
  kind: 'question' | 'feature';
  /** The definition: the `data` of the widget. */
  data: Record<string, unknown> & { type?: string };
  reference: string;
  value?: unknown;
  review?: { score: number | null; maxScore: number | null; parts?: (boolean | null)[]; correct?: unknown } | null;
}

export interface ShownItem {
  heading?: string;
  /** Columns with their share of the width in percent; a single column takes all. */
  columns: { width: number; widgets: ShownWidget[] }[];
}

export interface Show {
  show: { items: ShownItem[]; mode: 'answer' | 'review' | 'preview'; language: string; scheme: 'light' | 'dark' };
}

/** `failed`: the code that shows the content could not be loaded. */
export type FrameState = 'loading' | 'shown' | 'failed';

/** `key`: a key without modifiers that was pressed while the content was read-only. */
export type FromFrame =
  | { ready: true }
  | { height: number; state: FrameState }
  | { key: string }
  | { changed: { reference: string; value: unknown } };
