import { type INestApplicationContext } from '@nestjs/common';
import { type Config } from '#platform';

export async function firstStart(_app: INestApplicationContext, _config: Config): Promise<void> {}
