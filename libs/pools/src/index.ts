export { type Filling, type PoolInput, Pools } from './application/pools';
export { type Pool, POOL_STATUSES, SHOWN_STATUSES, type TagEntry } from './domain/pool';
export { PoolsModule } from './pools.module';
