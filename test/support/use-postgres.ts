import { inject, type TestContext } from 'vitest';
import { createDatabase, sharedPostgres } from './postgres.ts';
import { sharedTemplate } from './postgres-template.ts';
import { untilTheFileEnds } from './used-databases.ts';

/** The run's PostgreSQL server; a test that calls this is skipped, with the reason, if none is available. */
export async function usePostgres(context: Pick<TestContext, 'skip'>): Promise<string> {
  const shared = await sharedPostgres(inject('runFolder'), inject('runPid'));
  if ('reason' in shared) return context.skip(shared.reason);
  return shared.url;
}

/** A database for a jar, with the tables of all services, on that server. */
export async function usePostgresDatabase(context: Pick<TestContext, 'skip'>, name: string): Promise<string> {
  const url = await usePostgres(context);
  const template = await sharedTemplate(inject('runFolder'), url);
  if ('reason' in template) throw new Error(`no database to copy: ${template.reason}`);
  return untilTheFileEnds(await createDatabase(url, name, template.name));
}

/** An empty database, for tests of the store itself and of the creation of its tables. */
export async function useEmptyDatabase(context: Pick<TestContext, 'skip'>, name: string): Promise<string> {
  return untilTheFileEnds(await createDatabase(await usePostgres(context), name));
}
