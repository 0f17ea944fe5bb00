/* Signing without verification. The command line starts with this alone. */
export { formatTimestamp } from './domain/security';
export { sign } from './domain/signature';
