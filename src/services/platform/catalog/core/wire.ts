import { ok } from '../../../../kernel/http/index.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireReachable, requireVisible } from './access.ts';
import { type Chain, findChain, findOfKind } from './chain.ts';
import type { SecurableKind } from './kind.ts';
import { type CatalogList, chainsBelow, listBelow, viewChain, viewChains } from './list.ts';
import { metastoreIn } from './metastore.ts';
import { changeSecurable, createSecurable, deleteSecurable } from './operations.ts';

export const CATALOG_VERSIONS = ['2.1'] as const;

/** Names and paths of the operations of a kind. */
export interface CatalogWire {
  /** `Volumes` in summaries, and `volumes` in the names of operations. */
  readonly of: string;
  readonly operations: string;
  /** Relative to `/unity-catalog`, for example `/volumes`. */
  readonly path: string;
  /** The member of a list answer that contains the objects. */
  readonly array: string;
  /** The member of the body that contains a new object. */
  readonly wraps?: string;
  /** The supported operations. Default: all. */
  readonly verbs?: readonly CatalogVerb[];
  /** Additional options of the list. */
  list?(call: PlatformCall): CatalogList;
  /** Its path in the rate table, if it has one: `/catalog/shares`, which is also served. */
  readonly rated?: string;
}

export type CatalogVerb = 'create' | 'get' | 'list' | 'update' | 'delete';

const ALL: readonly CatalogVerb[] = ['create', 'get', 'list', 'update', 'delete'];

/** The operations of a kind, derived from its wire description. */
export function catalogOperations(kind: SecurableKind, wire: CatalogWire): readonly Operation[] {
  const { of, operations, verbs = ALL, rated } = wire;
  const head = (verb: CatalogVerb, method: Operation['method'], end: string, summary: string) => ({
    method,
    path: `/unity-catalog${wire.path}${end}`,
    versions: CATALOG_VERSIONS,
    ...(rated !== undefined && { rated: `${rated}${end}`, bare: [`${rated}${end}`] }),
    operation: `${operations}_${verb}`,
    summary: `${of}: ${summary}`,
  });
  const rows: Readonly<Record<CatalogVerb, Operation>> = {
    create: {
      ...head('create', 'POST', '', 'create one'),
      code: routeCode([], {
        async handle(call) {
          const body = wire.wraps === undefined ? call.body : membersIn(call.body)[wire.wraps];
          const sent = new Sent(body, wire.wraps);
          const above = containerIn(kind, sent);
          const chain = await createSecurable(call, kind, { name: sent.need('name'), sent: body ?? {}, above });
          return ok(await viewChain(call, kind, chain));
        },
      }),
    },
    get: {
      ...head('get', 'GET', '/{full_name}', 'read one'),
      code: routeCode(['full_name'], {
        handle: async (call) => ok(await viewChain(call, kind, await readSecurable(call, kind, call.params.full_name))),
      }),
    },
    list: {
      ...head('list', 'GET', '', 'list them'),
      code: routeCode([], {
        async handle(call) {
          const above = await containerOf(call, kind);
          const { items, next } = await listBelow(call, kind, above, wire.list?.(call));
          const views = await viewChains(call, kind, chainsBelow(above, items));
          return ok({ [wire.array]: views, ...(next !== undefined && { next_page_token: next }) });
        },
      }),
    },
    update: {
      ...head('update', 'PATCH', '/{full_name}', 'change one'),
      code: routeCode(['full_name'], {
        handle: async (call) =>
          ok(await viewChain(call, kind, await changeSecurable(call, kind, call.params.full_name, call.body))),
      }),
    },
    delete: {
      ...head('delete', 'DELETE', '/{full_name}', 'delete one'),
      code: routeCode(['full_name'], {
        async handle(call) {
          await deleteSecurable(call, kind, call.params.full_name, { force: call.query.force === 'true' });
          return ok({});
        },
      }),
    },
  };
  return verbs.map((verb) => rows[verb]);
}

/** Reads a securable that the caller may see. */
export async function readSecurable(
  call: PlatformCall,
  kind: Pick<SecurableKind, 'type' | 'includes'>,
  fullName: string,
): Promise<Chain> {
  const chain = await findOfKind(call.jar.store, await metastoreIn(call), kind, fullName);
  requireVisible(call, chain, { browse: call.query.include_browse === 'true' });
  requireReachable(call, chain);
  return chain;
}

/** The full name of the parent, from the body. */
function containerIn({ above }: SecurableKind, sent: Sent): string {
  if (above === 'metastore') return '';
  const catalog = sent.need('catalog_name');
  return above === 'catalog' ? catalog : `${catalog}.${sent.need('schema_name')}`;
}

/** The parent whose children a list shows, from the query. */
export async function containerOf(call: PlatformCall, { above }: Pick<SecurableKind, 'above'>): Promise<Chain> {
  const metastore = await metastoreIn(call);
  const names = above === 'metastore' ? [] : above === 'catalog' ? ['catalog_name'] : ['catalog_name', 'schema_name'];
  const parts = names.map((name) => {
    const value = call.query[name];
    if (typeof value !== 'string' || value === '') throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: name });
    return value;
  });
  const chain = await findChain(call.jar.store, metastore, above, parts.join('.'));
  requireReachable(call, chain);
  return chain;
}

const membersIn = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {};
