export { Config, settings } from './config/config';
export { Database, questionMarks, type Parameter } from './database/database';
export { type Dialect } from './database/dialect';
export { migrate } from './database/migrate';
export { LOGGER, type Logger } from './logging';
export { PlatformModule } from './platform.module';
