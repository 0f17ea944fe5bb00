export { type Credentials, credentialsPath, readCredentials, writeCredentials } from './credentials';
export { refuseNoDatabase } from './embedded-database';
export { runProgram, type Running, type Start } from './program';
export { sayFailure } from './start-failure';
export { lookForRedis, StoppedWaiting, untilDatabase, untilRedis } from './start-wait';
export { StopSignals } from './stop-signals';
