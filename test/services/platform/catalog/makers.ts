import type { Reply } from '../../../support/jars.ts';
import { type Ask, good } from '../support.ts';

/** Creation and removal through the API, for the rows of the resource limits table. */
export interface Maker {
  /** The values of the row's scope. */
  readonly scope: readonly string[];
  make(number: number): Promise<Reply>;
  remove(made: Reply): Promise<unknown>;
}

/** Rows of the catalog: counted by the ids of metastore and parent. */
export const UC = '/api/2.1/unity-catalog';

export const inMetastore = async (ask: Ask): Promise<string> =>
  (await good(ask('GET', `${UC}/metastore_summary`))).metastore_id;

export const inCatalog =
  (path: string, scope: (ask: Ask) => Promise<readonly string[]>, body: (number: number) => object) =>
  async (ask: Ask): Promise<Maker> => ({
    scope: await scope(ask),
    make: (number) => ask('POST', `${UC}/${path}`, body(number)),
    remove: ({ body: made }) => good(ask('DELETE', `${UC}/${path}/${made.full_name ?? made.name}?force=true`)),
  });
