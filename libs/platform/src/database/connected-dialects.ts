import { type DataSource } from 'typeorm';
import { type Dialect } from './dialect';

/** The dialect of each open connection. TypeORM gives migrations only the connection. */
export const connectedDialects = new WeakMap<DataSource, Dialect>();
