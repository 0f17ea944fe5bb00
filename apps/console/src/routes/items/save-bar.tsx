import { Paper } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';

/** The distance in pixels between the bar and a control that the window scrolls into view. */
const GAP = 16;

/** A bar that stays at the bottom of the window. It never hides the control that has the focus. */
export function SaveBar({ children }: { children: ReactNode }) {
  const { ref, height } = useElementSize();
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingBottom = `${height + GAP}px`;
    style.setProperty('--save-bar', `${height + GAP}px`);
    return () => {
      style.scrollPaddingBottom = '';
      style.removeProperty('--save-bar');
    };
  }, [height]);
  return (
    <Paper ref={ref} withBorder p="sm" style={{ position: 'sticky', bottom: 0, zIndex: 5 }}>
      {children}
    </Paper>
  );
}
