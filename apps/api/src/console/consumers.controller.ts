import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Req,
  UseFilters,
  UseGuards,
  UsePipes,
} from '@nestjs/common';
import { type Consumer, Consumers } from '#access';
import { checkText, Fault, type FaultDetail, throwAny } from '#kernel';
import { authorOf, type SignedIn } from '#people';
import { isObject } from '../declaration/fields';
import { bodyValidation } from '../http/body-validation';
import { ConsumerBody, ConsumerStatusBody, RateLimitsBody, RotateBody } from './bodies';
import { ConsoleErrors } from './console-errors.filter';
import { type ConsoleCall, ConsoleGuard, FreshOperators, operatedBy, Operators } from './console.guard';

/** A host, *.example.org, or * for any. */
const DOMAIN = /^(\*|(\*\.)?[^\s/*:"']{1,250}|\[[0-9A-Fa-f:.]+\])$/;
const HOUR_MS = 3_600_000;

/** Lets operators manage the programs that may call the API for their organisations. Secrets are shown once. */
@Controller('console/consumers')
@UseGuards(ConsoleGuard)
@UseFilters(ConsoleErrors)
@UsePipes(bodyValidation())
export class ConsumersController {
  constructor(private readonly consumers: Consumers) {}

  @Operators()
  @Get()
  async list(@Req() { by }: ConsoleCall) {
    return (await this.consumers.list()).filter((consumer) => isManaged(consumer, by!)).map(viewOf);
  }

  @FreshOperators()
  @Post()
  async create(@Req() { by }: ConsoleCall, @Body() { label, domains, organisation, access }: ConsumerBody) {
    if (!operatedBy(by!).includes(organisation))
      throw new Fault('no-rights', `You are not an operator of organisation ${organisation}.`, '/organisation');
    const faults = domains.flatMap((domain, index): FaultDetail[] =>
      DOMAIN.test(domain)
        ? []
        : [
            {
              kind: 'value',
              message: 'A domain is a host without scheme, port and path: example.org, *.example.org, or * for any.',
              at: `/domains/${index}`,
            },
          ],
    );
    throwAny(faults);
    checkText(label, '/label', { min: 1, max: 255 });
    const grants = [{ organisation, access, primary: true }];
    const wanted = { label, domains, features: [], rateLimits: {}, legacySignatures: false, grants };
    return this.consumers.create(wanted, authorOf(by!.person));
  }

  @FreshOperators()
  @Patch(':key')
  @HttpCode(204)
  async setStatus(@Req() { by }: ConsoleCall, @Param('key') key: string, @Body() { status }: ConsumerStatusBody) {
    await this.managed(key, by!);
    await this.consumers.setStatus(key, status, authorOf(by!.person));
  }

  /** Replaces all limits of the consumer that differ from the published ones. */
  @FreshOperators()
  @Put(':key/rate-limits')
  @HttpCode(204)
  async setRateLimits(
    @Req() { by }: ConsoleCall,
    @Param('key') key: string,
    @Body() { rate_limits: limits }: RateLimitsBody,
  ) {
    await this.managed(key, by!);
    for (const [index, each] of limits.entries()) {
      // The validation skips null and lists.
      if (!isObject(each)) throw new Fault('type', 'Give a pattern and a limit.', `/rate_limits/${index}`);
      if (limits.findIndex(({ pattern }) => pattern === each.pattern) < index)
        throw new Fault('duplicate', `${each.pattern} has a limit already.`, `/rate_limits/${index}/pattern`);
    }
    const wanted = Object.fromEntries(limits.map(({ pattern, limit }) => [pattern, limit]));
    await this.consumers.setRateLimits(key, wanted, authorOf(by!.person));
  }

  /** Gives a consumer a new secret; the old one stays valid for some hours. */
  @FreshOperators()
  @Post(':key/secrets')
  async rotate(@Req() { by }: ConsoleCall, @Param('key') key: string, @Body() { overlap_hours: hours }: RotateBody) {
    await this.managed(key, by!);
    return { key, secret: await this.consumers.rotateSecret(key, hours * HOUR_MS, authorOf(by!.person)) };
  }

  private async managed(key: string, by: SignedIn): Promise<void> {
    const consumer = (await this.consumers.list()).find((each) => each.key === key);
    if (!consumer || !isManaged(consumer, by))
      throw new Fault('reference-unknown', 'There is no such consumer in your organisations.');
  }
}

/** Whether a consumer belongs to organisations of the operator alone. */
function isManaged({ grants }: Consumer, by: SignedIn): boolean {
  const own = operatedBy(by);
  return grants.length > 0 && grants.every(({ organisation }) => own.includes(organisation));
}

const viewOf = ({ key, label, status, domains, features, rateLimits, legacySignatures, grants }: Consumer) => ({
  key,
  label,
  status,
  domains,
  features,
  rate_limits: rateLimits,
  legacy_signatures: legacySignatures,
  grants: grants.map(({ organisation, access, primary }) => ({ organisation, access, primary })),
});
