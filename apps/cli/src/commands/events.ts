import { type Command } from 'commander';
import { type INestApplicationContext } from '@nestjs/common';
import { UnitOfWork } from '#kernel';
import {
  Deliveries,
  EventSinks,
  type ListedAttempt,
  type ListedDelivery,
  type ListedEvent,
  type OfSink,
  type SinkState,
} from '#events';
import { listLimit, organisationId } from '../options';
import { iso, plain, printJson, printLine, printTable } from '../print';
import { organisationsOf, withServices } from '../services';

interface ListOptions {
  organisation?: number;
  limit: number;
  json?: true;
}

export function add(program: Command): void {
  const events = program.command('events');

  const list = (name: string, description: string, example: string) =>
    events
      .command(name)
      .description(description)
      .option('--organisation <id>', 'only those of this organisation', organisationId)
      .option('--limit <number>', 'how many at most', listLimit, 20)
      .option('--json', 'print JSON')
      .addHelpText('after', `\nExample:\n  itembank events ${example}`);

  list('list', 'Lists events, newest first, without their content.', 'list --key 5e3a0d2c-1b7f-4d39-9c52-0f5d9c1e7a11')
    .option('--key <text>', 'only those of this session')
    .action(async ({ organisation, key, limit, json }: ListOptions & { key?: string }) => {
      const found = await withDeliveries(organisation, (all, organisations) =>
        all.listEvents(organisations, { key, limit }),
      );
      if (json) printJson(found.map(viewOfEvent));
      else
        printTable(
          ['EVENT', 'ORGANISATION', 'NUMBER', 'KIND', 'KEY', 'RECORDED'],
          found.map(({ id, organisation: of, number, kind, key: name, recordedAt }) => [
            id,
            String(of),
            number === null ? '-' : String(number),
            kind,
            name,
            iso(recordedAt),
          ]),
        );
    });

  events
    .command('receivers')
    .alias('sinks')
    .description('Lists the receivers of events and their state. itembank provision creates and changes them.')
    .option('--organisation <id>', 'only those of this organisation', organisationId)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  itembank events receivers --organisation 1')
    .action(async ({ organisation, json }: Omit<ListOptions, 'limit'>) => {
      const found = await withDeliveries(organisation, (all, organisations) => all.states(organisations));
      if (json) printJson(found.map(viewOfSink));
      else
        printTable(
          ['RECEIVER', 'TYPE', 'ORGANISATION', 'TO', 'REACHED', 'WAITING', 'DEAD', 'UNREACHABLE SINCE', 'PAUSED SINCE'],
          found.map((state) => [
            state.sink.name,
            state.sink.type,
            String(state.organisation),
            targetOf(state),
            String(state.reached),
            String(state.waiting),
            String(state.dead),
            timeOr(state.failingSince, '-'),
            timeOr(state.pausedAt, '-'),
          ]),
        );
    });

  addPause(events, 'pause', 'Stops deliveries to a receiver, whose events wait until it is resumed.');
  addPause(events, 'resume', 'Delivers the events that waited during a pause, and later ones.');

  list('deliveries', 'Lists attempts to deliver events, newest first.', 'deliveries --sink gradebook --failed')
    .option('--sink <name>', 'only those to this receiver')
    .option('--event <event>', 'only those of this event')
    .option('--failed', 'only failed attempts')
    .action(
      async ({ organisation, json, ...filter }: ListOptions & { sink?: string; event?: string; failed?: true }) => {
        const found = await withDeliveries(organisation, async (all, organisations) => {
          await refuseUnknownSink(all, organisations, filter.sink);
          if (filter.event !== undefined) await refuseUnknownEvents(all, organisations, [filter.event]);
          return all.attempts(organisations, filter);
        });
        if (json) printJson(found.map(viewOfAttempt));
        else
          printTable(
            ['TIME', 'RECEIVER', 'EVENT', 'ATTEMPT', 'OUTCOME', 'STATUS', 'MS', 'ERROR'],
            found.map(({ attemptedAt, sink, event, attempt, answer, durationMs }) => [
              iso(attemptedAt),
              sink,
              event,
              String(attempt),
              answer.outcome,
              String(answer.httpStatus ?? '-'),
              String(durationMs),
              answer.error ?? '',
            ]),
          );
      },
    );

  list('dead', 'Lists deliveries that were given up, latest first.', 'dead --sink gradebook')
    .option('--sink <name>', 'only those to this receiver')
    .action(async ({ organisation, json, ...filter }: ListOptions & { sink?: string }) => {
      const found = await withDeliveries(organisation, async (all, organisations) => {
        await refuseUnknownSink(all, organisations, filter.sink);
        return all.dead(organisations, filter);
      });
      if (json) printJson(found.map(viewOfDelivery));
      else
        printTable(
          ['EVENT', 'RECEIVER', 'ORGANISATION', 'NUMBER', 'KIND', 'KEY', 'ATTEMPTS', 'GIVEN UP'],
          found.map(({ event, sink, organisation: of, number, kind, key, attempts, changedAt }) => [
            event,
            sink,
            String(of),
            String(number),
            kind ?? '-',
            key,
            String(attempts),
            iso(changedAt),
          ]),
        );
    });

  events
    .command('redeliver')
    .description('Delivers events again: the named ones unless they wait, or all that were given up.')
    .argument('[event...]', 'events, as the lists show them')
    .option('--dead', 'all deliveries that were given up')
    .option('--sink <name>', 'only to this receiver; otherwise to all of the organisation of the event')
    .option('--organisation <id>', 'only those of this organisation', organisationId)
    .addHelpText(
      'after',
      `
Examples:
  itembank events redeliver 01JZX3M5V2Q4T6W8Y0A1B2C3D4 --sink gradebook
  itembank events redeliver --dead --sink gradebook

The service sends them within seconds, with their former id and number.`,
    )
    .action(async (ids: string[], options: { dead?: true; sink?: string; organisation?: number }) => {
      if (ids.length > 0 === Boolean(options.dead))
        throw new Error('Say what to deliver again: events by their ids, or --dead for all that were given up.');
      const count = await withDeliveries(options.organisation, async (all, organisations) => {
        await refuseUnknownSink(all, organisations, options.sink);
        if (options.dead) return all.redeliverDead(organisations, options);
        await refuseUnknownEvents(all, organisations, ids);
        return all.redeliver(organisations, { ...options, events: ids });
      });
      printLine(count === 1 ? '1 delivery starts again.' : `${count} deliveries start again.`);
    });
}

function addPause(events: Command, name: 'pause' | 'resume', description: string): void {
  events
    .command(name)
    .description(description)
    .argument('<sink>', 'name of the receiver')
    .option('--organisation <id>', 'only that of this organisation', organisationId)
    .addHelpText('after', `\nExample:\n  itembank events ${name} gradebook --organisation 1`)
    .action(async (sink: string, { organisation }: { organisation?: number }) => {
      const changed = await withServices(async (services) => {
        const all = services.get(Deliveries, { strict: false });
        const organisations = await organisationsOf(services, organisation);
        await refuseUnknownSink(all, organisations, sink);
        return services.get(UnitOfWork, { strict: false }).run(async () => {
          const states = (await all.states(organisations)).filter((state) => state.sink.name === sink);
          let count = 0;
          for (const state of states)
            if (await services.get(EventSinks, { strict: false }).setPaused(state, name === 'pause')) count += 1;
          return count;
        });
      });
      const done = name === 'pause' ? 'paused' : 'resumed';
      printLine(
        changed === 0
          ? `Nothing to do: ${plain(sink)} is ${name === 'pause' ? 'paused already' : 'not paused'}.`
          : `${plain(sink)} is ${done}.`,
      );
    });
}

/** @param work receives the deliveries and the requested organisations. */
function withDeliveries<T>(
  organisation: number | undefined,
  work: (deliveries: Deliveries, organisations: readonly number[]) => Promise<T>,
): Promise<T> {
  return withServices(async (services: INestApplicationContext) => {
    return work(services.get(Deliveries, { strict: false }), await organisationsOf(services, organisation));
  });
}

async function refuseUnknownSink(all: Deliveries, organisations: readonly number[], name?: string): Promise<void> {
  if (name === undefined) return;
  const names = (await all.states(organisations)).map(({ sink }) => sink.name);
  if (!names.includes(name))
    throw new Error(`There is no receiver ${plain(name)}; itembank events receivers lists them.`);
}

async function refuseUnknownEvents(all: Deliveries, organisations: readonly number[], ids: string[]): Promise<void> {
  const known = new Set(await all.known(organisations, ids));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw new Error(`There is no event ${plain(unknown)}. Old events are removed.`);
}

const timeOr = <T>(time: number | null, otherwise: T): string | T => (time === null ? otherwise : iso(time));

const targetOf = ({ sink }: SinkState): string => (sink.type === 'webhook' ? sink.url : sink.stream);

function viewOfEvent({ id, organisation, number, kind, key, recordedAt }: ListedEvent) {
  return { event: id, organisation, number, kind, key, recorded_at: iso(recordedAt) };
}

function viewOfSink({ organisation, sink, reached, waiting, dead, failingSince, pausedUntil, pausedAt }: SinkState) {
  const { name, type, kinds, ...settings } = sink;
  const target = 'url' in settings ? settings : { stream: settings.stream, max_length: settings.maxLength };
  return {
    sink: name,
    type,
    organisation,
    kinds,
    ...target,
    reached,
    waiting,
    dead,
    unreachable_since: timeOr(failingSince, null),
    paused_until: timeOr(pausedUntil, null),
    paused_at: timeOr(pausedAt, null),
  };
}

function viewOfAttempt(given: OfSink<ListedAttempt>) {
  const { attemptedAt, organisation, sink, event, number, attempt, answer, durationMs } = given;
  return {
    attempted_at: iso(attemptedAt),
    organisation,
    sink,
    event,
    number,
    attempt,
    outcome: answer.outcome,
    http_status: answer.httpStatus,
    duration_ms: durationMs,
    error: answer.error,
  };
}

function viewOfDelivery(given: OfSink<ListedDelivery>) {
  const { organisation, sink, event, number, kind, key, attempts, failedSince, changedAt } = given;
  return {
    event,
    organisation,
    sink,
    number,
    kind,
    key,
    attempts,
    failed_since: timeOr(failedSince, null),
    given_up_at: iso(changedAt),
  };
}
