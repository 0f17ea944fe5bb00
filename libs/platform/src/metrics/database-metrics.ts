import { type Database } from '../database/database';
import { type Metrics } from './metrics';

/** Measures how busy the database connections are. */
export function measureDatabase(metrics: Metrics, database: Database): void {
  metrics.gauges(
    [
      {
        name: 'itembank_database_connections_max',
        help: 'Maximum number of connections to the database of this process.',
      },
      { name: 'itembank_database_connections_open', help: 'Open connections to the database.' },
      { name: 'itembank_database_connections_in_use', help: 'Connections to the database in use.' },
      { name: 'itembank_database_connection_waiters', help: 'Statements and transactions that wait for a connection.' },
    ],
    () => {
      const { max, open, inUse, waiting } = database.connections;
      return [max, open, inUse, waiting].map((value) => (Number.isNaN(value) ? [] : [{ value }]));
    },
  );
}
