import { AccountClient, WorkspaceClient } from '@databricks/sdk-experimental';
import { SEED_TENANT } from '../../../src/kernel/auth/index.ts';
import { accountIdOf } from '../../../src/services/platform/accounts/found-account.ts';
import type { Bench } from '../../support/jars.ts';

/** The account of the seeded tenant, and the application of the seed that is a service principal of it. */
export const ACCOUNT = accountIdOf(SEED_TENANT);
export const APPLICATION = '10000000-0000-4000-8000-0000000000a1';
export const APPLICATION_SECRET = 'cloudjar-app-secret';

export type Credential = { readonly token: string } | { readonly clientId: string; readonly clientSecret: string };

/** The published client of a workspace. */
export const workspaceClient = ({ jar }: Bench, credential: Credential): WorkspaceClient =>
  new WorkspaceClient({ host: jar.url, ...credential });

/** The published client of the account. */
export const accountClient = ({ jar }: Bench, credential: Credential): AccountClient =>
  new AccountClient({ host: jar.url, accountId: ACCOUNT, experimentalIsUnifiedHost: true, ...credential });

/** Everything that an iterator of the client gives. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
