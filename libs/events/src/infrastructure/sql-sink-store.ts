import { Injectable } from '@nestjs/common';
import { Database, questionMarks } from '#platform';
import { SinkStore, type StoredSink, type WantedSink } from '../application/ports/sink-store';
import { type EventKind } from '../domain/event';
import { type Sink, type SinkReference, type SinkType, type Stream, type Webhook } from '../domain/sink';

type SinkRow = Omit<StoredSink, 'sink'> & Pick<Sink, 'name' | 'type'> & { settings: string; kinds: string | null };

const CHANGEABLE_COLUMNS = ['settings', 'secret', 'kinds'];
const COLUMNS = ['organisation_id', 'id', 'name', 'type', ...CHANGEABLE_COLUMNS, 'reached', 'failures'];
const SELECTED_COLUMNS = `organisation_id AS organisation, id, name, type, settings, secret AS sealedSecret, kinds, reached, failures,
  failing_since AS failingSince, paused_until AS pausedUntil, paused_at AS pausedAt`;

@Injectable()
export class SqlSinkStore extends SinkStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async list(organisations: readonly number[]): Promise<StoredSink[]> {
    if (organisations.length === 0) return [];
    const rows = await this.database.rows<SinkRow>(
      `SELECT ${SELECTED_COLUMNS} FROM event_sink WHERE organisation_id IN (${questionMarks(organisations.length)})
       ORDER BY organisation_id, type, name`,
      organisations,
    );
    return rows.map(sinkOf);
  }

  override async find({ organisation, id }: SinkReference): Promise<StoredSink | undefined> {
    const row = await this.database.row<SinkRow>(
      `SELECT ${SELECTED_COLUMNS} FROM event_sink WHERE organisation_id = ? AND id = ?`,
      [organisation, id],
    );
    return row && sinkOf(row);
  }

  override async put(organisation: number, sinks: readonly WantedSink[]): Promise<void> {
    if (sinks.length === 0) return;
    await this.database.run(async () => {
      const stream = await this.database.row<{ last_number: number }>(
        'SELECT last_number FROM event_stream WHERE organisation_id = ?',
        [organisation],
      );
      await this.database.insert(
        'event_sink',
        COLUMNS,
        sinks.map(({ id, sink, sealedSecret }) => [
          organisation,
          id,
          sink.name,
          sink.type,
          settingsOf(sink),
          sealedSecret,
          sink.kinds && JSON.stringify(sink.kinds),
          stream?.last_number ?? 0,
          0,
        ]),
        this.database.dialect.onDuplicate(['organisation_id', 'type', 'name'], CHANGEABLE_COLUMNS),
      );
      // A changed sink is tried immediately, because the change may have fixed it.
      await this.database.write(
        `UPDATE event_sink SET paused_until = NULL WHERE organisation_id = ? AND name IN (${questionMarks(sinks.length)})`,
        [organisation, ...sinks.map(({ sink: { name } }) => name)],
      );
    });
  }

  override async pause({ organisation, id }: SinkReference, now: number): Promise<boolean> {
    const paused = await this.database.write(
      'UPDATE event_sink SET paused_at = ? WHERE organisation_id = ? AND id = ? AND paused_at IS NULL',
      [now, organisation, id],
    );
    return paused === 1;
  }

  override async resume({ organisation, id }: SinkReference, now: number): Promise<boolean> {
    return this.database.run(async () => {
      const row = await this.database.row<{ paused_at: number | null }>(
        `SELECT paused_at FROM event_sink WHERE organisation_id = ? AND id = ? ${this.database.dialect.forUpdate}`,
        [organisation, id],
      );
      if (!row || row.paused_at === null) return false;
      await this.database.write(
        'UPDATE event_sink SET paused_at = NULL, paused_until = NULL WHERE organisation_id = ? AND id = ?',
        [organisation, id],
      );
      await this.database.write(
        `UPDATE event_delivery SET due_at = ?, failed_since = failed_since + ?
         WHERE organisation_id = ? AND sink_id = ? AND status = 'waiting' AND due_at IS NOT NULL`,
        [now, Math.max(0, now - row.paused_at), organisation, id],
      );
      return true;
    });
  }

  override async remove(organisation: number, type: SinkType, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.database.run(async () => {
      const rows = await this.database.rows<{ id: string }>(
        `SELECT id FROM event_sink WHERE organisation_id = ? AND type = ? AND name IN (${questionMarks(names.length)})
         ${this.database.dialect.forUpdate}`,
        [organisation, type, ...names],
      );
      const ids = rows.map(({ id }) => id);
      const theirs = { sql: 'organisation_id = ?', parameters: [organisation] };
      await this.database.remove('event_sink', theirs, 'id', ids);
      await this.database.remove('event_delivery', theirs, 'sink_id', ids);
      await this.database.remove('event_attempt', theirs, 'sink_id', ids);
    });
  }
}

function settingsOf({ name: _name, type: _type, kinds: _kinds, ...settings }: Sink): string {
  return JSON.stringify(settings);
}

function sinkOf({ name, type, settings, kinds, ...state }: SinkRow): StoredSink {
  const further = JSON.parse(settings) as Pick<Webhook, 'url'> & Pick<Stream, 'stream' | 'maxLength'>;
  const listed = kinds === null ? null : (JSON.parse(kinds) as EventKind[]);
  return { ...state, sink: { type, name, kinds: listed, ...further } };
}
