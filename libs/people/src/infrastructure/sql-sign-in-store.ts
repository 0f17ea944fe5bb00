import { Injectable } from '@nestjs/common';
import { Database } from '#platform';
import { type Link, type SignIn, SignInStore } from '../application/ports/sign-in-store';

const SIGN_IN = 'person_id AS person, browser, created_at AS createdAt, seen_at AS seenAt, confirmed_at AS confirmedAt';

@Injectable()
export class SqlSignInStore extends SignInStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(hash: string, { person, browser, createdAt, seenAt, confirmedAt }: SignIn): Promise<void> {
    await this.database.insert(
      'sign_in',
      ['hash', 'person_id', 'browser', 'created_at', 'seen_at', 'confirmed_at'],
      [[hash, person, browser, createdAt, seenAt, confirmedAt]],
    );
  }

  override async find(hash: string): Promise<SignIn | undefined> {
    return this.database.row<SignIn>(`SELECT ${SIGN_IN} FROM sign_in WHERE hash = ?`, [hash]);
  }

  override async ofPerson(person: string): Promise<SignIn[]> {
    return this.database.rows<SignIn>(
      `SELECT ${SIGN_IN} FROM sign_in WHERE person_id = ? ORDER BY seen_at DESC LIMIT 100`,
      [person],
    );
  }

  override async setSeen(hash: string, at: number): Promise<void> {
    await this.database.write('UPDATE sign_in SET seen_at = ? WHERE hash = ?', [at, hash]);
  }

  override async setConfirmed(hash: string, at: number): Promise<void> {
    await this.database.write('UPDATE sign_in SET confirmed_at = ? WHERE hash = ?', [at, hash]);
  }

  override async remove(hash: string): Promise<void> {
    await this.database.write('DELETE FROM sign_in WHERE hash = ?', [hash]);
  }

  override async removeOthers(person: string, kept = ''): Promise<void> {
    await this.database.write('DELETE FROM sign_in WHERE person_id = ? AND hash <> ?', [person, kept]);
  }

  override async removeUnused(before: number): Promise<void> {
    await this.database.write('DELETE FROM sign_in WHERE seen_at < ?', [before]);
  }

  override async addLink(hash: string, { person, purpose, endsAt }: Link): Promise<void> {
    await this.database.insert(
      'person_link',
      ['hash', 'person_id', 'purpose', 'ends_at'],
      [[hash, person, purpose, endsAt]],
    );
  }

  override async findLink(hash: string): Promise<Link | undefined> {
    return this.database.row<Link>(
      'SELECT person_id AS person, purpose, ends_at AS endsAt FROM person_link WHERE hash = ?',
      [hash],
    );
  }

  override async takeLink(hash: string): Promise<boolean> {
    return (await this.database.write('DELETE FROM person_link WHERE hash = ?', [hash])) > 0;
  }

  override async removeLinks(person: string, now: number): Promise<void> {
    await this.database.write('DELETE FROM person_link WHERE person_id = ? OR ends_at < ?', [person, now]);
  }

  override async failures(hash: string): Promise<{ failures: number; failedAt: number } | undefined> {
    return this.database.row<{ failures: number; failedAt: number }>(
      'SELECT failures, failed_at AS failedAt FROM sign_in_failure WHERE hash = ?',
      [hash],
    );
  }

  override async addFailure(hash: string, now: number, forgotten: number): Promise<number> {
    return this.database.run(async () => {
      await this.database.write('DELETE FROM sign_in_failure WHERE failed_at <= ?', [forgotten]);
      await this.database.insert(
        'sign_in_failure',
        ['hash', 'failures', 'failed_at'],
        [[hash, 1, now]],
        this.database.dialect.onDuplicateAdd(['hash'], 'failures'),
      );
      await this.database.write('UPDATE sign_in_failure SET failed_at = ? WHERE hash = ?', [now, hash]);
      return (await this.failures(hash))!.failures;
    });
  }

  override async clearFailures(hash: string): Promise<void> {
    await this.database.write('DELETE FROM sign_in_failure WHERE hash = ?', [hash]);
  }
}
