import { S3AssetFiles } from '../../libs/content/src/infrastructure/s3-asset-files';
import { AssetFiles } from '../../libs/content/src/application/ports/asset-files';
import { engines } from '../support/engines';
import { S3Server } from '../support/s3-server';
import { startService, TestClock, type TestService } from '../support/service';
import { assetFilesContract } from './asset-files';

describe('asset files in a folder, which the service serves', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(engines[0]!);
  });
  afterAll(() => service?.close());

  assetFilesContract(async () => ({
    files: service.service.app.get(AssetFiles, { strict: false }),
    clock: service.clock,
  }));
});

describe.each(['', '/a prefix/of two'])('asset files in a bucket of S3, under the prefix "%s"', (prefix) => {
  let server: S3Server;
  let files: S3AssetFiles;
  const clock = new TestClock();
  const environment = { ...process.env };
  beforeAll(async () => {
    server = await S3Server.start(`/assets-bucket${prefix}/public/`, () => clock.now());
    process.env.AWS_ACCESS_KEY_ID = server.keys.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = server.keys.secretAccessKey;
    const url = `s3://assets-bucket${prefix}?region=us-east-1&path_style=true&endpoint=${server.url}`;
    files = new S3AssetFiles(url, undefined, clock);
  });
  afterAll(async () => {
    process.env = environment;
    files?.onApplicationShutdown();
    await server?.close();
  });

  assetFilesContract(async () => ({ files, clock }));
});
