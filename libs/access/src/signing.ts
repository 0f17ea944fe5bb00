/* Signing without verification, so that the command line loads nothing else of this context at its start. */
export { formatTimestamp } from './domain/security';
export { sign } from './domain/signature';
