import type { Tx } from '../../../../kernel/store/index.ts';
import { CATALOGS } from '../../catalog/containers/catalogs.ts';
import { SCHEMAS } from '../../catalog/containers/schemas.ts';
import { type Chain, findChain } from '../../catalog/core/chain.ts';
import type { SecurableKind } from '../../catalog/core/kind.ts';
import { metastoreIn, metastoreNow } from '../../catalog/core/metastore.ts';
import { createBelow, deleteFound } from '../../catalog/core/operations.ts';
import type { Securable } from '../../catalog/core/securables.ts';
import { FUNCTIONS } from '../../catalog/functions/kind.ts';
import { TABLES } from '../../catalog/tables/kind.ts';
import { VOLUMES } from '../../catalog/volumes/kind.ts';
import { problems } from '../sql/problem.ts';
import type { CreateContainer, Drop } from '../sql/statement-syntax.ts';
import { type Acting, fullParts, quotedName, shownName } from './find.ts';
import { isCode } from './refusals.ts';
import { type Effect, NO_RESULT } from './write.ts';

/** `CREATE` of catalogs, schemas and volumes, and `DROP` of all kinds. */

const CREATED = {
  createCatalog: { kind: CATALOGS, parts: 1 },
  createSchema: { kind: SCHEMAS, parts: 2 },
  createVolume: { kind: VOLUMES, parts: 3 },
} as const;

/** The metastore, a catalog or a schema, by the parts of its full name. */
export async function containerIn(tx: Tx, known: Securable, above: readonly string[]): Promise<Chain> {
  const metastore = await metastoreNow(tx, known);
  const kind = above.length === 0 ? 'metastore' : above.length === 1 ? 'catalog' : 'schema';
  return findChain(tx, metastore, kind, above.join('.'), { lock: 'share' });
}

/** Creates an object; with `isAllowed`, ignores the error if it already exists. */
export async function unlessThere(isAllowed: boolean, make: () => Promise<unknown>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!isAllowed || !isCode(error, '_ALREADY_EXISTS')) throw error;
  }
}

export async function createContainer(acting: Acting, statement: CreateContainer): Promise<Effect> {
  const { kind, parts: count } = CREATED[statement.is];
  const parts = fullParts(statement.name, acting.session, count);
  const metastore = await metastoreIn(acting);
  const name = parts.at(-1) as string;
  return {
    result: NO_RESULT,
    apply: async (tx) => {
      const above = await containerIn(tx, metastore, parts.slice(0, -1));
      const sent = sentFor(statement);
      await unlessThere(statement.ifNotExists, () => createBelow(tx, acting, kind, above, { name, sent }));
    },
  };
}

function sentFor({ is, comment, properties, location, external }: CreateContainer): object {
  const common = { ...(comment !== undefined && { comment }), ...(properties && { properties }) };
  if (is !== 'createVolume') return { ...common, ...(location !== undefined && { storage_root: location }) };
  return {
    ...common,
    volume_type: external ? 'EXTERNAL' : 'MANAGED',
    ...(location !== undefined && { storage_location: location }),
  };
}

const DROPPED: Readonly<Record<Drop['kind'], { readonly kind: SecurableKind; readonly parts: 1 | 2 | 3 }>> = {
  catalog: { kind: CATALOGS, parts: 1 },
  schema: { kind: SCHEMAS, parts: 2 },
  table: { kind: TABLES, parts: 3 },
  view: { kind: TABLES, parts: 3 },
  volume: { kind: VOLUMES, parts: 3 },
  function: { kind: FUNCTIONS, parts: 3 },
};

export async function drop(acting: Acting, { kind: word, name, ifExists, cascade }: Drop): Promise<Effect> {
  const { kind, parts: count } = DROPPED[word];
  const parts = fullParts(name, acting.session, count);
  const metastore = await metastoreIn(acting);
  return {
    result: NO_RESULT,
    apply: async (tx) => {
      const now = await metastoreNow(tx, metastore);
      const found = await findChain(tx, now, kind.type, parts.join('.'), { lock: 'update' }).catch((error: unknown) => {
        if (!isCode(error, '_DOES_NOT_EXIST')) throw error;
        if (ifExists) return undefined;
        throw kind === TABLES ? problems.noTable(quotedName(name.parts), name.at) : error;
      });
      if (!found) return;
      checkType(word, found);
      await deleteFound(tx, acting, kind, found, { force: cascade });
    },
  };
}

export function checkType(word: 'table' | 'view' | string, chain: Chain): void {
  const isView = chain.target.fields.table_type === 'VIEW' || chain.target.fields.table_type === 'METRIC_VIEW';
  if (word === 'table' && isView) throw problems.notTable(shownName(chain), 'DROP TABLE');
  if (word === 'view' && !isView) throw problems.notView(shownName(chain), 'DROP VIEW');
}
