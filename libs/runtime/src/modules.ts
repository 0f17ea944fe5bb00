/* The modules of the API and the workers. Importing them loads all contexts, so the index does not export them. */
export { contexts } from './contexts';
export { LIVE } from './health/answers';
export { Health } from './health/health';
export { HealthModule } from './health/health.module';
