import { Alert, Button, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useLanguage } from '../texts/texts';
import { useUiTexts } from '../ui/texts';
import type { FrameState, FromFrame, Show, ShownItem } from './protocol';

interface ContentFrameProps {
  items: ShownItem[];
  /** `answer`: questions can be answered; `preview`: read-only; `review`: with scores and right answers. */
  mode: Show['show']['mode'];
  changed?: (reference: string, value: unknown) => void;
  /** Called when a key is pressed in the frame while its content is read-only. */
  pressed?: (key: string) => void;
  title?: string;
}

/** Shows content as learners see it, in a sandboxed frame. If its code cannot be loaded, says so and offers to try again. */
export function ContentFrame({ items, mode, changed, pressed, title }: ContentFrameProps) {
  const t = useUiTexts();
  const language = useLanguage();
  const scheme = useComputedColorScheme('light');
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [state, setState] = useState<FrameState | 'starting'>('starting');
  const [tries, setTries] = useState(0);
  const [height, setHeight] = useState(160);

  useWindowEvent('message', ({ source, data }: MessageEvent<FromFrame>) => {
    if (source !== frame.current?.contentWindow || typeof data !== 'object' || data === null) return;
    if ('ready' in data) {
      setReady(true);
      setState('loading');
    } else if ('height' in data) {
      setHeight(Math.min(Math.max(Number(data.height) || 0, 40), 20_000));
      setState(data.state);
    } else if ('changed' in data) changed?.(data.changed.reference, data.changed.value);
    else if ('key' in data) pressed?.(String(data.key));
  });

  useEffect(() => {
    if (!isReady) return;
    const message: Show = { show: { items, mode, language, scheme } };
    frame.current?.contentWindow?.postMessage(message, '*');
  }, [isReady, items, mode, language, scheme]);

  function retry() {
    setReady(false);
    setState('starting');
    setTries(tries + 1);
  }
  // The button that had the focus is gone.
  useEffect(() => {
    if (tries > 0) frame.current?.focus();
  }, [tries]);

  const hasFailed = state === 'failed';
  return (
    <>
      {hasFailed && (
        <Alert color="red" role="alert">
          <Stack align="flex-start">
            <Text size="sm">{t('frame_failed')}</Text>
            <Button variant="default" onClick={retry}>
              {t('try_again')}
            </Button>
          </Stack>
        </Alert>
      )}
      <iframe
        // A new frame loads all of its code again.
        key={tries}
        ref={frame}
        title={title ?? t('preview')}
        aria-busy={state === 'starting' || state === 'loading'}
        src="/console/frame.html"
        sandbox="allow-scripts"
        // A frame with its code is ready before it is loaded.
        onLoad={() => setState((now) => (now === 'starting' ? 'failed' : now))}
        style={{ width: '100%', height, border: 0, display: hasFailed ? 'none' : 'block', colorScheme: scheme }}
      />
    </>
  );
}
