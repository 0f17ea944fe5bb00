import { Inject, Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult, HealthIndicatorService } from '@nestjs/terminus';
import { LOGGER, type Logger, type MonitoringAnswer } from '#platform';
import { STOPPING } from './answers';
import { Dependencies, type DependencyName } from './dependencies';
import { WatchedDependency } from './watched-dependency';

/** Injection token: names of the dependencies without which the program cannot do its work. */
export const NEEDED = Symbol('needed dependencies');

/** Tells whoever sends requests, or looks after the process, whether it can do its work. */
@Injectable()
export class Health {
  private readonly needed: WatchedDependency[];
  private readonly others: WatchedDependency[];
  private isStopping = false;

  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    dependencies: Dependencies,
    @Inject(NEEDED) names: readonly DependencyName[],
    @Inject(LOGGER) log: Logger,
  ) {
    const watched = dependencies.list().map((dependency) => new WatchedDependency(dependency, log));
    this.needed = watched.filter(({ name }) => names.includes(name));
    this.others = watched.filter(({ name }) => !names.includes(name));
  }

  /** From now on the program is not ready: whoever sends it requests is to send them elsewhere. */
  stop(): void {
    this.isStopping = true;
  }

  /**
   * 200 with the status `ok`, or `degraded` where something is down that the program can do without; 503 with `unavailable`
   * where it cannot, or `stopping`. Names each dependency, `up` or `down`, and of those that are down the reason in a word;
   * of a program that stops, none.
   */
  async readiness(): Promise<MonitoringAnswer> {
    if (this.isStopping) return STOPPING;
    const [needed, others] = await Promise.all([this.check(this.needed), this.check(this.others)]);
    const ready = needed.status === 'ok';
    const status = !ready ? 'unavailable' : others.status === 'ok' ? 'ok' : 'degraded';
    const dependencies = { ...needed.details, ...others.details };
    return { status: ready ? 200 : 503, body: JSON.stringify({ status, dependencies }) };
  }

  private async check(watched: readonly WatchedDependency[]): Promise<HealthCheckResult> {
    try {
      return await this.checks.check(watched.map((dependency) => () => this.indicated(dependency)));
    } catch (error) {
      // So does the library say that something is down.
      if (error instanceof ServiceUnavailableException) return error.getResponse() as HealthCheckResult;
      throw error;
    }
  }

  private async indicated(dependency: WatchedDependency) {
    const reason = await dependency.trouble();
    const session = this.indicators.check(dependency.name);
    return reason === undefined ? session.up() : session.down({ reason });
  }
}
