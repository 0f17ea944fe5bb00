import { type ReactNode, useSyncExternalStore } from 'react';

/* What the two views of a text with formats share. */

/** Inserts something around the selection. */
export type Insert = (before: string, after?: string) => void;

export interface TextFieldProps {
  label: string;
  value: string;
  change: (value: string) => void;
  /** One row is for short texts, such as options. */
  rows: number;
  takesFocus: boolean;
  /** The buttons below the field: those of the view, and those of both views. */
  buttons: (own: ReactNode, insert: Insert) => ReactNode;
}

/** How fields show texts with formats. The browser remembers what a person chose. */
type TextView = 'formatted' | 'html';

const KEY = 'itembank-text-view';
const listeners = new Set<() => void>();
let view: TextView = localStorage.getItem(KEY) === 'html' ? 'html' : 'formatted';

export function setTextView(wanted: TextView): void {
  view = wanted;
  localStorage.setItem(KEY, wanted);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTextView = (): TextView => useSyncExternalStore(subscribe, () => view);

/** Whether somebody writes into another field of the page by now, so that the focus must stay there. */
export function isWritingElsewhere(field: HTMLElement): boolean {
  const active = document.activeElement;
  const isField = active instanceof HTMLElement && (active.matches('input, textarea') || active.isContentEditable);
  return isField && active !== field && !active.closest('[role=dialog]');
}
