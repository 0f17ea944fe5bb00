import { Injectable } from '@nestjs/common';
import { Clock, Fault } from '#kernel';
import { Config } from '#platform';
import { type Consumer } from '../domain/consumer';
import { limitFor, type Taken } from '../domain/rate-limits';
import {
  checkDomain,
  checkOrigin,
  checkPageWindow,
  checkWindow,
  endOf,
  hostOfOrigin,
  isRegistered,
  readSecurity,
  type SecurityFields,
} from '../domain/security';
import { verify } from '../domain/signature';
import { type KnownConsumer, KnownConsumers } from './known-consumers';
import { RateWindows } from './ports/rate-windows';

/** The texts of a call exactly as they were received. */
export interface SignedCall {
  security?: string;
  request?: string;
  action?: string;
}

/**
 * The right that a call needs in a bank. `primary-or-write`: the bank is the primary one of the consumer, or the consumer
 * may write to it.
 */
export type Right = 'read' | 'write' | 'primary-or-write';

/** Checks who may call, how often, and for which item bank. */
@Injectable()
export class Access {
  constructor(
    private readonly consumers: KnownConsumers,
    private readonly windows: RateWindows,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * The consumer that signed the call.
   * @param claimed called with the key of the call once it is known to belong to a consumer; for the log.
   * @throws Fault 41000–41009 that says what is wrong with its security.
   */
  async authenticate(call: SignedCall, claimed: (key: string) => void = () => undefined): Promise<Consumer> {
    return (await this.verified(call, claimed)).consumer;
  }

  /**
   * Authenticates a page's start request. The page's own server signed the request shortly before.
   * @param origin the header `Origin` of the page's request.
   * @returns The consumer, and the end of the permission in milliseconds since 1970.
   * @throws Fault as `authenticate`; 41004 when it was not signed within the last three hours, 41005 when the host of
   *   the page differs from the signed domain.
   */
  async authenticatePage(
    call: SignedCall,
    origin: string | undefined,
    claimed: (key: string) => void,
  ): Promise<{ consumer: Consumer; security: SecurityFields; endsAt: number }> {
    const { consumer, security } = await this.verified(call, claimed);
    checkPageWindow(security, this.clock.now());
    checkOrigin(origin, security.domain);
    return { consumer, security, endsAt: endOf(security) };
  }

  /** Whether a consumer has registered the host of this origin. Other pages may not call at all. */
  async knowsPage(origin: string): Promise<boolean> {
    const host = hostOfOrigin(origin);
    return host !== undefined && isRegistered(host, await this.consumers.domains());
  }

  private async verified(
    call: SignedCall,
    claimed: (key: string) => void,
  ): Promise<{ consumer: Consumer; security: SecurityFields }> {
    const now = this.clock.now();
    const security = readSecurity(call.security);
    checkWindow(security, now, {
      maxAgeMs: this.config.signatureMaxAgeMs,
      maxAheadMs: this.config.signatureMaxAheadMs,
    });
    const known = await this.consumers.find(security.consumerKey);
    claimed(known.consumer.key);
    const check = ({ consumer, secrets }: KnownConsumer): Consumer => {
      const valid = secrets.filter(({ validUntil }) => validUntil === null || validUntil > now);
      verify(
        { security, request: call.request, action: call.action },
        valid.map(({ secret }) => secret),
        { legacyAllowed: consumer.legacySignatures },
      );
      checkDomain(security.domain, consumer.domains);
      if (consumer.status !== 'active')
        throw new Fault('consumer-inactive', `Consumer ${consumer.key} is disabled; an operator can enable it again.`);
      return consumer;
    };
    try {
      return { consumer: check(known), security };
    } catch {
      // The secret, the domain or the permission may be newer than what is cached.
      return { consumer: check(await this.consumers.read(known.consumer.key)), security };
    }
  }

  /** The consumer with this key if it is active. Calls under a permission that the consumer signed earlier use this. */
  async active(key: string): Promise<Consumer | undefined> {
    const { consumer } = await this.consumers.find(key);
    return consumer.status === 'active' ? consumer : undefined;
  }

  /** Counts one call for `key`, such as an address, and says whether it is allowed. */
  async takeOf(key: string, limit: number): Promise<Taken> {
    return this.windows.take(key, limit, this.clock.now());
  }

  /** Counts one request against the caller's limit for the operation, and says whether it is allowed. */
  async take(
    consumer: Pick<Consumer, 'key' | 'rateLimits'>,
    action: string,
    path: string,
  ): Promise<Taken & { limit: number }> {
    const limit = limitFor(action, path, consumer.rateLimits, this.config.itemUpdateLimit);
    return { ...(await this.windows.take(`${consumer.key}\n${action}\n${path}`, limit, this.clock.now())), limit };
  }

  /**
   * @param feature undefined: the call needs no feature.
   * @throws Fault 41008 when the feature is not enabled for the consumer.
   */
  checkFeature(consumer: Consumer, feature: string | undefined): void {
    if (feature !== undefined && !consumer.features.includes(feature))
      throw new Fault(
        'service-disabled',
        `The feature ${feature} is not switched on for consumer ${consumer.key}; an operator can do that.`,
      );
  }

  /**
   * The organisation that a request addresses.
   * @throws Fault 40002 for a consumer without an organisation, 40003 without the right.
   */
  organisationFor(consumer: Consumer, asked: number | undefined, right: Right): number {
    const grant = consumer.grants.find(({ organisation, primary }) =>
      asked === undefined ? primary : organisation === asked,
    );
    if (!grant) {
      if (asked === undefined)
        throw new Fault(
          'no-organisation',
          `Consumer ${consumer.key} has no primary organisation; name one in organisation_id.`,
          '/organisation_id',
        );
      throw new Fault(
        'no-rights',
        `Consumer ${consumer.key} has no access to organisation ${asked}.`,
        '/organisation_id',
      );
    }
    const suffices = right === 'read' || grant.access === 'write' || (right === 'primary-or-write' && grant.primary);
    if (!suffices)
      throw new Fault(
        'no-rights',
        `Consumer ${consumer.key} may read organisation ${grant.organisation}, not write to it.`,
        '/organisation_id',
      );
    return grant.organisation;
  }
}
