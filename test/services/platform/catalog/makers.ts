import type { Reply } from '../../../support/jars.ts';
import { type Ask, good } from '../support.ts';

/** How things that a row of the table of resource limits counts are made and removed through the API. */
export interface Maker {
  /** The values of the row's scope. */
  readonly scope: readonly string[];
  make(number: number): Promise<Reply>;
  remove(made: Reply): Promise<unknown>;
}

/** Of the catalog: counted by the ids of metastore and parent. */
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
