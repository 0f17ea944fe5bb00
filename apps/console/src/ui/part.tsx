import { Button, Text } from '@mantine/core';
import { CatchBoundary } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, useSyncExternalStore } from 'react';
import { Unreachable } from '../operations/fault';
import { FaultAlert } from './fault-alert';
import { loadCode } from './load-code';
import { useUiTexts } from './texts';

/**
 * A part of a screen with code of its own. When the code cannot be loaded, texts that were typed around the part stay.
 * @param Frame shows the error. Default: the place of the part.
 */
export function part<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Frame?: ComponentType<P & { children: ReactNode }>,
): ComponentType<P> {
  const begin = () => lazy(() => loadCode(load));
  let Code = begin();
  let tries = 0;
  const places = new Set<() => void>();
  const subscribe = (place: () => void) => {
    places.add(place);
    return () => places.delete(place);
  };
  /** Loads the code again for all its places. */
  const retry = () => {
    Code = begin();
    tries++;
    for (const place of places) place();
  };
  return function Part(props: P) {
    const key = useSyncExternalStore(subscribe, () => tries);
    const failed = (error: unknown) => <Failed error={error} retry={retry} />;
    return (
      <CatchBoundary
        getResetKey={() => key}
        errorComponent={({ error }) => (Frame ? <Frame {...props}>{failed(error)}</Frame> : failed(error))}
      >
        <Code {...props} />
      </CatchBoundary>
    );
  };
}

/** The error in place of code that could not be loaded, or that has failed. */
export function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useUiTexts();
  const isLost = error instanceof Unreachable;
  return (
    <>
      {!isLost && <Text>{t('bug')}</Text>}
      <FaultAlert fault={error} />
      <Button onClick={isLost ? retry : () => location.reload()} style={{ alignSelf: 'flex-start' }}>
        {t(isLost ? 'try_again' : 'reload')}
      </Button>
    </>
  );
}
