import { startJar } from '../../src/testing/index.ts';
import { createDatabase, withClient } from './postgres.ts';
import { type Shared, sharedServer } from './shared-server.ts';

const NAME = 'PostgreSQL-template';
const RELATIONS = `
  SELECT format('%I.%I', relnamespace::regnamespace, relname) AS name, relkind AS kind FROM pg_class
  WHERE relnamespace = 'cloudjar'::regnamespace AND relkind IN ('r', 'S') AND relname <> 'meta'`;

type Template = { readonly name: string };

/**
 * The template of the jars' databases, created once per run: it has the empty tables of every service of the code under test. A jar that
 * opens a copy finds its schema prepared; a jar with a test's own services adds their tables.
 */
export function sharedTemplate(folder: string, serverUrl: string): Promise<Shared<Template>> {
  return sharedServer(folder, NAME, async () => {
    const url = await createDatabase(serverUrl, 'template');
    await (await startJar({ databaseUrl: url })).close();
    await withClient(url, async (client) => {
      const { rows } = await client.query<{ name: string; kind: string }>(RELATIONS);
      await client.query(`TRUNCATE ${rows.filter(({ kind }) => kind === 'r').map(({ name }) => name)}`);
      for (const { name, kind } of rows) if (kind === 'S') await client.query(`ALTER SEQUENCE ${name} RESTART`);
    });
    return { name: new URL(url).pathname.slice(1) };
  });
}
