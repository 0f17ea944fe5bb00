import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { connectedDialects } from '../connected-dialects';
import { type Dialect } from '../dialect';

/**
 * A step of the schema.
 *
 * @param name ends in 13 digits, the time of writing in milliseconds. Steps run in this order.
 * @param statements the statements in the dialect at hand, one after the other.
 */
export function migration(name: string, statements: (dialect: Dialect) => string[]): new () => MigrationInterface {
  return class implements MigrationInterface {
    name = name;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements(connectedDialects.get(runner.connection)!)) await runner.query(statement);
    }

    /** Migrations have no way back, because the data of the newer version would be lost. */
    async down(): Promise<void> {
      throw new Error('Migrations are not taken back; restore a back-up instead.');
    }
  };
}
