import { ok } from '../../../../kernel/http/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireManager } from '../core/access.ts';
import { type Chain, findChain } from '../core/chain.ts';
import { metastoreIn, metastoreNow } from '../core/metastore.ts';
import { refuseSystem } from '../core/operations.ts';
import { CATALOG_VERSIONS } from '../core/wire.ts';
import { addConstraint, constraintView, dropConstraint, readConstraint } from './constraints.ts';

/** Runs an action on a table that the caller may change. The permission is checked before the rest of the request is validated. */
async function onTable<R>(
  call: PlatformCall,
  fullName: string,
  change: (tx: Tx, found: Chain) => Promise<R>,
): Promise<R> {
  const metastore = await metastoreIn(call);
  const chain = await findChain(call.jar.store, metastore, 'table', fullName);
  requireManager(call, chain);
  refuseSystem(chain);
  return call.jar.store.transact(async (tx) =>
    change(tx, await findChain(tx, await metastoreNow(tx, metastore), 'table', fullName, { lock: 'update' })),
  );
}

export const CONSTRAINT_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/unity-catalog/constraints',
    versions: CATALOG_VERSIONS,
    operation: 'tableConstraints_create',
    summary: 'Add a constraint to a table',
    code: routeCode([], {
      async handle(call) {
        const sent = new Sent(call.body);
        const made = await onTable(call, sent.need('full_name_arg'), async (tx, found) => {
          const constraint = sent.member('constraint');
          if (!constraint) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'constraint' });
          return addConstraint(tx, call, found, readConstraint(constraint));
        });
        return ok((await constraintView(call.jar.store, made)) ?? {});
      },
    }),
  },
  {
    method: 'DELETE',
    path: '/unity-catalog/constraints/{full_name}',
    versions: CATALOG_VERSIONS,
    operation: 'tableConstraints_delete',
    summary: 'Drop a constraint of a table',
    code: routeCode(['full_name'], {
      async handle(call) {
        await onTable(call, call.params.full_name, async (tx, found) => {
          const { constraint_name: name, cascade } = call.query;
          if (typeof name !== 'string' || name === '')
            throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'constraint_name' });
          if (cascade !== 'true' && cascade !== 'false')
            throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'cascade' });
          await dropConstraint(tx, call, found, name, cascade === 'true');
        });
        return ok({});
      },
    }),
  },
];
