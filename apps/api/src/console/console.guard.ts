import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Fault } from '#kernel';
import { type SignedIn } from '#people';
import { LOGGER, type Logger } from '#platform';
import { recordCall, type RecordedCall } from '../http/recorded-call';
import { RequestMetrics } from '../http/request-metrics';
import { checkSameOrigin, ConsoleCalls } from './console-calls';
import { nameFor } from './cookies';

const MAX_BYTES = 100_000;

const NEEDS = 'console:needs';
/** Marks calls that a page makes before somebody is signed in. */
export const Open = () => SetMetadata(NEEDS, 'nothing');
/** Marks calls that need an operator. */
export const Operators = () => SetMetadata(NEEDS, 'operator');
/** Marks calls that need an operator who proved who they are within the last 15 minutes (decision 69). */
export const FreshOperators = () => SetMetadata(NEEDS, 'fresh operator');

/** A call of a console page that is not an operation. */
export interface ConsoleCall extends RecordedCall {
  /** Absent in open calls. */
  by?: SignedIn;
}

/** Prepares the calls of console pages that are not operations: origin, sign-in, role, body, in this order. */
@Injectable()
export class ConsoleGuard implements CanActivate {
  constructor(
    private readonly calls: ConsoleCalls,
    private readonly reflector: Reflector,
    private readonly metrics: RequestMetrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [call] = recordCall<ConsoleCall>(context, 'console', this.log, this.metrics);
    const needs = this.reflector.get<string | undefined>(NEEDS, context.getHandler());
    if (needs === 'nothing') {
      this.calls.checkOn();
      checkSameOrigin(call);
      nameFor(call);
    } else {
      call.by = await this.calls.signedIn(call);
      call.known.consumer = `person-${call.by.person.id}`;
      if (needs !== undefined) checkOperator(call.by, needs === 'fresh operator');
    }
    if (call.method !== 'GET' && call.method !== 'DELETE') call.body = await this.calls.body(call, MAX_BYTES);
    return true;
  }
}

/** The organisations in which a person is an operator. */
export const operatedBy = ({ person }: SignedIn): number[] =>
  [...person.roles].filter(([, roles]) => roles.includes('operator')).map(([organisation]) => organisation);

/**
 * The organisation that an address names.
 * @throws Fault when the person is not an operator of it.
 */
export function operatedIn(text: string, by: SignedIn): number {
  const organisation = operatedBy(by).find((id) => String(id) === text);
  if (organisation === undefined) throw new Fault('no-rights', 'You are not an operator of this organisation.');
  return organisation;
}

function checkOperator(by: SignedIn, mustBeFresh: boolean): void {
  if (operatedBy(by).length === 0) throw new Fault('no-rights', 'This needs the role operator.');
  if (mustBeFresh && !by.isFresh)
    throw new Fault(
      'expired',
      'Confirm with your password that it is you; the last confirmation is over 15 minutes old.',
    );
}
