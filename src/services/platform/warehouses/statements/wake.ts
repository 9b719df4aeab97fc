import { eq, type Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { type Warehouse, warehouseKey } from '../collections.ts';
import { statements } from './collections.ts';
import { RUN_STATEMENT, workId } from './work.ts';

const WOKEN_AT_ONCE = 1000;

export const runStatementSoon = (tx: Tx, { clock }: Pick<PlatformJar, 'clock'>, key: string): Promise<void> =>
  tx.wake(RUN_STATEMENT.at(clock.now(), { key }, workId(RUN_STATEMENT, key)));

/** Called in the transaction in which a warehouse starts running: wakes the statements that wait for it. */
export async function wakeStatements(tx: Tx, jar: Pick<PlatformJar, 'clock'>, warehouse: Warehouse): Promise<void> {
  const filter = eq('waitsFor', warehouseKey(warehouse.workspaceId, warehouse.id));
  const { items } = await tx.query(statements, { filter, limit: WOKEN_AT_ONCE });
  for (const { key } of items) await runStatementSoon(tx, jar, key);
}
