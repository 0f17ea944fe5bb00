import { useComputedColorScheme } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useLanguage } from '../texts/texts';
import { useUiTexts } from '../ui/texts';
import type { FromFrame, Show, ShownItem } from './protocol';

interface ContentFrameProps {
  items: ShownItem[];
  /** `answer`: questions can be answered; `preview`: read-only; `review`: with scores and right answers. */
  mode: Show['show']['mode'];
  changed?: (reference: string, value: unknown) => void;
  /** Called when a key is pressed in the frame while its content is read-only. */
  pressed?: (key: string) => void;
  title?: string;
}

/** Shows content as learners see it, in a sandboxed frame. */
export function ContentFrame({ items, mode, changed, pressed, title }: ContentFrameProps) {
  const t = useUiTexts();
  const language = useLanguage();
  const scheme = useComputedColorScheme('light');
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [isShown, setShown] = useState(false);
  const [height, setHeight] = useState(160);

  useWindowEvent('message', ({ source, data }: MessageEvent<FromFrame>) => {
    if (source !== frame.current?.contentWindow || typeof data !== 'object' || data === null) return;
    if ('ready' in data) setReady(true);
    else if ('height' in data) {
      setHeight(Math.min(Math.max(Number(data.height) || 0, 40), 20_000));
      setShown(data.isShown);
    } else if ('changed' in data) changed?.(data.changed.reference, data.changed.value);
    else if ('key' in data) pressed?.(String(data.key));
  });

  useEffect(() => {
    if (!isReady) return;
    const message: Show = { show: { items, mode, language, scheme } };
    frame.current?.contentWindow?.postMessage(message, '*');
  }, [isReady, items, mode, language, scheme]);

  return (
    <iframe
      ref={frame}
      title={title ?? t('preview')}
      aria-busy={!isShown}
      src="/console/frame.html"
      sandbox="allow-scripts"
      style={{ width: '100%', height, border: 0, display: 'block', colorScheme: scheme }}
    />
  );
}
