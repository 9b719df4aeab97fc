import type { Tx } from '../../../../kernel/store/index.ts';
import type { Actor } from '../../jar.ts';
import { requirePrivilege } from '../core/access.ts';
import { type Chain, findChain, metastoreOf } from '../core/chain.ts';

/** Throws unless the functions that masks and row filters name exist and the caller may execute them. */
export async function requireFunctions(tx: Tx, call: Actor, schema: Chain, names: readonly string[]): Promise<void> {
  for (const name of new Set(names)) {
    const found = await findChain(tx, metastoreOf(schema), 'function', name);
    requirePrivilege(call, found, 'EXECUTE');
  }
}
