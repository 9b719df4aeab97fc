import { createRequire } from 'node:module';
import type { Bench } from '../../support/jars.ts';

type Callback<T> = (error: (Error & { statusCode?: number; code?: string }) | null, result: T) => void;

// biome-ignore lint/suspicious/noExplicitAny: its models are plain objects of every shape
type Model = any;

type Operation = (...args: readonly (string | Model | Callback<Model>)[]) => void;

interface PowerBIClient {
  readonly datasets: Readonly<
    Record<
      | 'getDatasets'
      | 'postDataset'
      | 'getDatasetById'
      | 'deleteDatasetById'
      | 'getTables'
      | 'putTable'
      | 'postRows'
      | 'deleteRows',
      Operation
    >
  >;
}

// The client is a CommonJS package with old declarations.
const require = createRequire(import.meta.url);
const { PowerBIClient: Client }: { PowerBIClient: new (credentials: object, baseUri: string) => PowerBIClient } =
  require('powerbi-api');
const { TokenCredentials }: { TokenCredentials: new (token: string) => object } = require('ms-rest');

/** The unmodified published client, with promises instead of callbacks. It uses URLs with collections. */
export async function publishedClient(bench: Bench, workspace: string, user = 'admin') {
  const token = await bench.jar.token({ user, ttl: '365d' });
  const { datasets } = new Client(new TokenCredentials(token), bench.jar.httpsUrl);
  return (operation: keyof PowerBIClient['datasets'], ...args: readonly Model[]): Promise<Model> =>
    new Promise((resolve, reject) => {
      const done: Callback<Model> = (error, result) => (error ? reject(error) : resolve(result));
      datasets[operation]('collection', workspace, ...args, done);
    });
}
