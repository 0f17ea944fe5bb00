import { Inject, Injectable } from '@nestjs/common';
import * as client from 'openid-client';
import { Consumers } from '#access';
import { Clock, Fault, UnitOfWork } from '#kernel';
import { Config, LOGGER, type Logger } from '#platform';
import { type Claims, type OpenIdRule, readOpenIdRules, rolesByRules } from '../domain/openid-rules';
import { FRESH_MS } from '../domain/limits';
import { MAX_NAME_LENGTH } from '../domain/person';
import { People } from './people';
import { type Identity } from './ports/person-store';
import { SignIns } from './sign-ins';

/** The data that the browser stores from the start of a sign-in until the provider redirects back. */
export interface Begun {
  state: string;
  nonce: string;
  verifier: string;
  /** Whether the person proves again who they are. */
  isConfirmation: boolean;
}

const SCOPE = 'openid email profile';
const TIMEOUT_S = 10;
/** The maximum age of the proof of identity that a confirmation accepts. */
const CONFIRMATION_S = 60;

/** Signs people in through an OpenID Connect provider, by the code flow with PKCE, state and nonce (decision 71). */
@Injectable()
export class OpenId {
  private readonly rules: readonly OpenIdRule[];
  private provider: Promise<client.Configuration> | undefined;

  constructor(
    private readonly config: Config,
    private readonly people: People,
    private readonly signIns: SignIns,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly consumers: Consumers,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.rules = config.openId ? readOpenIdRules(config.openId.rules) : [];
  }

  get isAvailable(): boolean {
    return this.config.openId !== undefined;
  }

  /** Warns of rules that give nobody an account. Their organisations may be created later. */
  async checkRules(): Promise<void> {
    const known = new Set((await this.consumers.organisations()).map(({ id }) => id));
    for (const [index, { organisation }] of this.rules.entries())
      if (!known.has(organisation))
        this.log.warn(
          { organisation },
          `OPENID_RULES: rule ${index + 1} names an organisation that does not exist; nobody whom it fits gets an account`,
        );
  }

  /** The address at which the browser signs in, and the data that it stores meanwhile. */
  async begin(isConfirmation: boolean): Promise<{ url: string; begun: Begun }> {
    const provider = await this.discovered();
    const begun = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      isConfirmation,
    };
    const url = client.buildAuthorizationUrl(provider, {
      redirect_uri: this.callback,
      scope: SCOPE,
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      ...(isConfirmation ? { prompt: 'login', max_age: String(CONFIRMATION_S) } : {}),
    });
    return { url: url.href, begun };
  }

  /**
   * Signs in the person whom the provider sends back.
   * @param query of the address to which the provider sent the browser.
   * @returns the secret for the cookie.
   * @throws Fault when the provider did not authenticate them, when no rule gives them a role, or when they are disabled.
   */
  async finish(query: string, begun: Begun, address: string, browser: string): Promise<string> {
    await this.signIns.countAttempt(address);
    const claims = await this.claims(query, begun);
    const identity = { issuer: String(claims.iss), subject: String(claims.sub) };
    const confirmedAt = typeof claims.auth_time === 'number' ? claims.auth_time * 1000 : this.clock.now() - FRESH_MS;
    return this.work.run(
      async () =>
        (await this.signIns.withIdentity(identity, browser, confirmedAt)) ??
        (await this.withNewAccount(identity, claims, browser, confirmedAt)),
    );
  }

  private async withNewAccount(identity: Identity, claims: Claims, browser: string, confirmedAt: number) {
    const roles = rolesByRules(this.rules, claims);
    const { email } = claims;
    if (roles.size === 0 || typeof email !== 'string' || claims.email_verified === false)
      throw new Fault('no-rights', 'No rule gives you a role here; ask an operator.');
    const [firstname, lastname] = [nameIn(claims.given_name), nameIn(claims.family_name)];
    const { id } = await this.people.create({ email, firstname, lastname, roles });
    await this.signIns.addIdentity(id, identity);
    return (await this.signIns.withIdentity(identity, browser, confirmedAt))!;
  }

  private async claims(query: string, { state, nonce, verifier, isConfirmation }: Begun): Promise<Claims> {
    const provider = await this.discovered();
    try {
      const tokens = await client.authorizationCodeGrant(provider, new URL(`${this.callback}${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        ...(isConfirmation ? { maxAge: CONFIRMATION_S } : {}),
      });
      return tokens.claims()!;
    } catch (error) {
      // Names only the error of the library, because its message may contain received secrets.
      throw new Fault('token', `The provider of OpenID Connect did not sign you in (${(error as Error).name}).`);
    }
  }

  /** The metadata of the provider. After a failure, the next call requests it again. */
  private async discovered(): Promise<client.Configuration> {
    const { openId } = this.config;
    if (!openId) throw new Fault('no-endpoint', 'OpenID Connect is not set up here.');
    this.provider ??= client.discovery(new URL(openId.issuer), openId.clientId, openId.clientSecret, undefined, {
      timeout: TIMEOUT_S,
      // The settings accept http: only for this machine.
      ...(openId.issuer.startsWith('http:') ? { execute: [client.allowInsecureRequests] } : {}),
    });
    try {
      return await this.provider;
    } catch (error) {
      this.provider = undefined;
      const fault = new Fault('unavailable', 'The provider of OpenID Connect does not answer; try again later.');
      fault.cause = error;
      throw fault;
    }
  }

  private get callback(): string {
    return `${this.config.publicUrl!}/console/openid/callback`;
  }
}

/** A name that a provider gives, as an account can have it. */
const nameIn = (claim: unknown): string =>
  typeof claim === 'string'
    ? [...claim.toWellFormed().replace(/\p{Cc}+/gu, ' ')].slice(0, MAX_NAME_LENGTH).join('')
    : '';
