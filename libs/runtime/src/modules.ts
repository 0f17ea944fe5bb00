/* What the API and the workers are made of. Loading it loads all contexts, so it is no part of the index. */
export { contexts } from './contexts';
export { LIVE } from './health/answers';
export { Health } from './health/health';
export { HealthModule } from './health/health.module';
