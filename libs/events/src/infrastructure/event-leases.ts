import { organisationRows } from '#access';
import { type Database } from '#platform';
import { type Lease } from '../application/ports/delivery-store';

/** Leases of organisations for event delivery. */
export class EventLeases {
  constructor(private readonly database: Database) {}

  async organisationsWithWork(worker: string, now: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(
      `SELECT o.id FROM ${organisationRows('o')}
       LEFT JOIN event_stream t ON t.organisation_id = o.id
       WHERE (t.lease_until IS NULL OR t.lease_until < ? OR t.worker = ?) AND (
         EXISTS (SELECT 1 FROM event e WHERE e.organisation_id = o.id AND e.number IS NULL)
         OR EXISTS (
           SELECT 1 FROM event_sink s WHERE s.organisation_id = o.id AND s.paused_at IS NULL AND (s.paused_until IS NULL OR s.paused_until <= ?)
           AND (s.reached < t.last_number OR EXISTS (
             SELECT 1 FROM event_delivery d WHERE d.organisation_id = o.id AND d.status = 'waiting' AND d.sink_id = s.id
             AND d.due_at <= ?))))
       ORDER BY o.id`,
      [now, worker, now, now],
    );
    return rows.map(({ id }) => id);
  }

  async claim(organisation: number, worker: string, now: number, until: number): Promise<Lease | undefined> {
    const { dialect } = this.database;
    return this.database.run(async () => {
      const locked = () =>
        this.database.row<{ token: number; lease_until: number | null }>(
          `SELECT token, lease_until FROM event_stream WHERE organisation_id = ? ${dialect.forUpdate}`,
          [organisation],
        );
      let stream = await locked();
      if (!stream) {
        await addStream(this.database, organisation);
        stream = (await locked())!;
      }
      if (stream.lease_until !== null && stream.lease_until >= now) return undefined;
      const token = stream.token + 1;
      await this.database.write(
        'UPDATE event_stream SET token = ?, worker = ?, lease_until = ? WHERE organisation_id = ?',
        [token, worker, until, organisation],
      );
      return { organisation, token };
    });
  }

  async extend({ organisation, token }: Lease, until: number): Promise<boolean> {
    const extended = await this.database.write(
      'UPDATE event_stream SET lease_until = ? WHERE organisation_id = ? AND token = ?',
      [until, organisation, token],
    );
    return extended === 1;
  }

  async release({ organisation, token }: Lease): Promise<void> {
    // Raises the token, so that a late heartbeat has no effect.
    await this.database.write(
      'UPDATE event_stream SET token = token + 1, lease_until = NULL, worker = NULL WHERE organisation_id = ? AND token = ?',
      [organisation, token],
    );
  }

  /** Whether the lease is still held; locks it until the unit of work ends. */
  async isHeld({ organisation, token }: Lease): Promise<boolean> {
    const row = await this.database.row<{ token: number }>(
      `SELECT token FROM event_stream WHERE organisation_id = ? ${this.database.dialect.forUpdate}`,
      [organisation],
    );
    return row?.token === token;
  }
}

/** Creates the row of an organisation if it does not exist. */
export async function addStream(database: Database, organisation: number): Promise<void> {
  await database.insert(
    'event_stream',
    ['organisation_id', 'last_number', 'token'],
    [[organisation, 0, 0]],
    database.dialect.onDuplicate(['organisation_id'], []),
  );
}
