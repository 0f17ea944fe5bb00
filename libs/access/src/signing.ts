/* What signs a call, without what checks it: the command line starts with this alone. */
export { formatTimestamp } from './domain/security';
export { sign } from './domain/signature';
