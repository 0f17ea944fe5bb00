import { Inject, Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult, HealthIndicatorService } from '@nestjs/terminus';
import { LOGGER, type Logger, type MonitoringAnswer } from '#platform';
import { STOPPING } from './answers';
import { Dependencies, type DependencyName } from './dependencies';
import { WatchedDependency } from './watched-dependency';

/** Injection token: names of the dependencies that the program cannot work without. */
export const NEEDED = Symbol('needed dependencies');

/** Tells load balancers and orchestrators whether the program can work. */
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

  /** Makes the program report that it is not ready, so that it gets no new requests. */
  stop(): void {
    this.isStopping = true;
  }

  /**
   * 200 with the status `ok`, or `degraded` when an optional dependency is down or the database has no room; 503 with
   * `unavailable` when a needed dependency is down for another reason, or with `stopping`. The answer lists each
   * dependency as `up` or `down`, with a one-word reason for those that are down. While the program stops, it lists none.
   */
  async readiness(): Promise<MonitoringAnswer> {
    if (this.isStopping) return STOPPING;
    const [needed, others] = await Promise.all([this.check(this.needed), this.check(this.others)]);
    const ready = Object.entries(needed.details).every(([name, { status, reason }]) =>
      // Reads still work without room.
      name === 'database' ? status === 'up' || reason === 'full' : status === 'up',
    );
    const isWhole = needed.status === 'ok' && others.status === 'ok';
    const status = !ready ? 'unavailable' : isWhole ? 'ok' : 'degraded';
    const dependencies = { ...needed.details, ...others.details };
    return { status: ready ? 200 : 503, body: JSON.stringify({ status, dependencies }) };
  }

  private async check(watched: readonly WatchedDependency[]): Promise<HealthCheckResult> {
    try {
      return await this.checks.check(watched.map((dependency) => () => this.indicated(dependency)));
    } catch (error) {
      // The library throws this error when something is down.
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
