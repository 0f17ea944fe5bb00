import 'reflect-metadata';
import { constants, setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Config, flushLog, Metrics, type MetricValues, threadNumber } from '#platform';
import { ApiModule } from '../api.module';
import { Dispatcher, type Reply } from '../http/dispatcher.controller';
import { type Message } from '../http/request-fields';
import { type BodyPart, type LargeCall } from './large-call';

let app: INestApplicationContext;
let dispatcher: Dispatcher;
let measured: Metrics;

export async function begin(settings: Record<string, string>): Promise<void> {
  standBack();
  const config = Config.read({ ...process.env, ...settings });
  app = await NestFactory.createApplicationContext(ApiModule.with(config), { logger: false, abortOnError: false });
  dispatcher = app.get(Dispatcher);
  measured = app.get(Metrics);
}

export async function answer(call: LargeCall): Promise<Reply> {
  try {
    return await dispatcher.reply(messageOf(call), Math.max(0, Date.now() - call.arrivedAt));
  } finally {
    call.body.close();
  }
}

export function metrics(): Promise<MetricValues> {
  return measured.values();
}

export function live(): Promise<void> {
  return Promise.resolve();
}

export async function close(): Promise<void> {
  try {
    await app.close();
  } finally {
    flushLog();
    // What a thread has written is on its way until this is called.
    await new Promise<void>((done) => process.stdout.write('', () => done()));
  }
}

/** Where processors are short, others come first; where the system does not know threads so, it is one like the others. */
function standBack(): void {
  try {
    setPriority(threadNumber()!, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    return;
  }
}

function messageOf({ method, url, headers, body }: LargeCall): Message {
  const stream = new Readable({ read: () => undefined });
  // Where nobody reads it, nobody needs to know that it broke off.
  stream.on('error', () => undefined);
  body.on('message', (part: BodyPart) => {
    if (part === 'end') stream.push(null);
    else if (part === 'broken') stream.destroy(new Error('The connection ended.'));
    else stream.push(part);
  });
  return Object.assign(stream, { method, url, headers });
}
