export { Config } from './config/config';
export { settings } from './config/settings';
export { Conditions, questionMarks, type SqlPart } from './database/conditions';
export { Database, type Parameter } from './database/database';
export { type Dialect } from './database/dialect';
export { LongReads } from './database/long-reads';
export { checkSchema, migrate, type MigrationState, migrationStates, SchemaMismatch } from './database/migrate';
export { readStorage } from './database/storage';
export { keepPlaces, misplaced, movingPage } from './database/moving-lists';
export { type FileName, Files, isPage, type Written } from './files/files';
export { LocalFiles, type OpenFile } from './files/local-files';
export { type Zip, zipOf } from './files/zip';
export { openRedisProbe, type RedisProbe } from './health/open-redis-probe';
export { passesByItself, type Reason, reasonOf } from './health/reason';
export { mapYielding } from './map-yielding';
export { LOGGER, type Logger, logUncaught, openLogger } from './logging';
export { type Counter, type Histogram, Metrics, NoMetrics } from './metrics/metrics';
export { seldomRead } from './metrics/seldom-read';
export { type MonitoringAnswer, MonitoringServer } from './monitoring/monitoring-server';
export { OutageLog } from './outage-log';
export { PlatformModule } from './platform.module';
export { isReadOnly, readRedisUrl } from './redis-url';
export { RegularSweep } from './regular-sweep';
export { Exceeded, Threads } from './threads/threads';
export { NoTracing, type Span, Tracing } from './tracing/tracing';
export {
  type Check,
  type Finding,
  type NewFinding,
  type Progress,
  type RowRange,
  Verifications,
} from './verification/verifications';
export { PACKAGE_ROOT } from './files/package-root';
