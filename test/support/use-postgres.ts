import { inject, type TestContext } from 'vitest';
import { createDatabase, sharedPostgres } from './postgres.ts';

/** The run's PostgreSQL server; a test that calls this is reported as not run, with the reason, where there is none. */
export async function usePostgres(context: Pick<TestContext, 'skip'>): Promise<string> {
  const shared = await sharedPostgres(inject('runFolder'), inject('runPid'));
  if ('reason' in shared) return context.skip(shared.reason);
  return shared.url;
}

/** A database of the caller's own on that server. */
export async function usePostgresDatabase(context: Pick<TestContext, 'skip'>, name: string): Promise<string> {
  return createDatabase(await usePostgres(context), name);
}
