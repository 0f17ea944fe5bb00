import { migration } from './migration';

/** People who sign in, their roles, and the browsers in which they are signed in. */
export const people = migration(
  'People1796700000000',
  ({ types: { exact, hash, id, integer, long, time, word }, tableOptions }) => [
    // `email_key`: folded, so that an address belongs to one person. `password`: an argon2id hash; null until one is set.
    `CREATE TABLE person (
    id ${id} NOT NULL,
    email ${exact(255)} NOT NULL,
    email_key ${exact(255)} NOT NULL,
    firstname ${exact(255)} NOT NULL,
    lastname ${exact(255)} NOT NULL,
    status ${word} NOT NULL,
    password ${long} NULL,
    created_at ${time} NOT NULL,
    signed_in_at ${time} NULL,
    PRIMARY KEY (id)
  ) ${tableOptions(false)}`,
    `CREATE UNIQUE INDEX person_email ON person (email_key)`,
    `CREATE TABLE person_role (
    organisation_id ${integer} NOT NULL,
    person_id ${id} NOT NULL,
    role ${word} NOT NULL,
    PRIMARY KEY (organisation_id, person_id, role)
  ) ${tableOptions(true)}`,
    `CREATE INDEX person_role_person ON person_role (person_id)`,
    // The identity of a person at an OpenID Connect provider. `hash`: of issuer and subject together.
    `CREATE TABLE person_identity (
    hash ${hash} NOT NULL,
    issuer ${exact(255)} NOT NULL,
    subject ${exact(255)} NOT NULL,
    person_id ${id} NOT NULL,
    PRIMARY KEY (hash)
  ) ${tableOptions(false)}`,
    `CREATE INDEX person_identity_person ON person_identity (person_id)`,
    // A link that works once. `hash`: of its secret.
    `CREATE TABLE person_link (
    hash ${hash} NOT NULL,
    person_id ${id} NOT NULL,
    purpose ${word} NOT NULL,
    ends_at ${time} NOT NULL,
    PRIMARY KEY (hash)
  ) ${tableOptions(false)}`,
    `CREATE INDEX person_link_person ON person_link (person_id)`,
    // A browser in which a person is signed in. `hash`: of its cookie. `confirmed_at`: when the person last proved who they are.
    `CREATE TABLE sign_in (
    hash ${hash} NOT NULL,
    person_id ${id} NOT NULL,
    browser ${exact(255)} NOT NULL,
    created_at ${time} NOT NULL,
    seen_at ${time} NOT NULL,
    confirmed_at ${time} NOT NULL,
    PRIMARY KEY (hash)
  ) ${tableOptions(false)}`,
    `CREATE INDEX sign_in_person ON sign_in (person_id)`,
    `CREATE INDEX sign_in_seen ON sign_in (seen_at)`,
    // Consecutive wrong passwords. `hash`: of the typed e-mail address, even if no account has it.
    `CREATE TABLE sign_in_failure (
    hash ${hash} NOT NULL,
    failures ${integer} NOT NULL,
    failed_at ${time} NOT NULL,
    PRIMARY KEY (hash)
  ) ${tableOptions(false)}`,
    `CREATE INDEX sign_in_failure_time ON sign_in_failure (failed_at)`,
  ],
);
