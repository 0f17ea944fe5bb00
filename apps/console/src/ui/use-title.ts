import { useLayoutEffect } from 'react';

const BASE = 'Itembank';

/** Sets the title of the page. A title element in a component would be a second one, beside that of the document. */
export function useTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = `${title} – ${BASE}`;
    return () => {
      document.title = BASE;
    };
  }, [title]);
}
