import { type ReactNode } from 'react';

/** A message of the service, which speaks English. Screen readers then read it with English sounds. */
export const ServiceText = ({ children }: { children: ReactNode }) => <span lang="en">{children}</span>;
