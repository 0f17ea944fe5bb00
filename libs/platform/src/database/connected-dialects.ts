import { type DataSource } from 'typeorm';
import { type Dialect } from './dialect';

/** The dialect of each open connection: migrations are given no more than the connection. */
export const connectedDialects = new WeakMap<DataSource, Dialect>();
