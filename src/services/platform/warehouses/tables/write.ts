import { ApiError } from '../../../../kernel/http/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { requirePrivilege } from '../../catalog/core/access.ts';
import { type Chain, fullNameOf } from '../../catalog/core/chain.ts';
import { metastoreIn, metastoreNow } from '../../catalog/core/metastore.ts';
import { refuseShared } from '../../catalog/core/operations.ts';
import type { Securable } from '../../catalog/core/securables.ts';
import { tableStates } from '../../catalog/tables/collections.ts';
import { schemaOf } from '../../catalog/tables/column-store.ts';
import type { Column } from '../../catalog/tables/columns.ts';
import { type Commit, type NewFile, replaceFiles } from '../../catalog/tables/data/log.ts';
import { discardFiles, stageRows } from '../../catalog/tables/data/rows.ts';
import { isInVolume } from '../../catalog/tables/data/volume-files.ts';
import { hasData } from '../../catalog/tables/kind.ts';
import { callerIdentity } from '../../jar.ts';
import type { Row } from '../sql/bound.ts';
import { problems } from '../sql/problem.ts';
import type { StatementResult } from '../sql/run-statement.ts';
import type { ObjectName } from '../sql/statement-syntax.ts';
import { simple } from '../sql/types.ts';
import { type Acting, findTable, shownName } from './find.ts';
import { Conflict } from './refusals.ts';
import { refuseFiltered, snapshotOf } from './relations.ts';
import type { Snapshot } from './scan.ts';

/** The result and the changes of a statement. `apply` runs in the transaction that ends the statement: either both happen or neither. */
export interface Effect {
  readonly result: StatementResult;
  apply?(tx: Tx): Promise<void>;
  /** Called instead of `apply`: discards what was prepared. */
  discard?(): Promise<void>;
}

/** A table to write to. */
export interface Target {
  readonly name: ObjectName;
  readonly chain: Chain;
  readonly snapshot: Snapshot;
  readonly metastore: Securable;
}

/** Maximum number of partitions, and so of files, that are written at once. */
const MOST_PARTITIONS = 1000;

/** A table that the user may change. Statements that read its rows also need the privilege to read them. */
export async function openTarget(
  acting: Acting,
  name: ObjectName,
  operation: string,
  { reads = false } = {},
): Promise<Target> {
  const metastore = await metastoreIn(acting);
  const chain = await findTable(acting, name, 'MODIFY', { metastore });
  refuseShared(chain);
  if (reads) requirePrivilege(acting, chain, 'SELECT');
  const { fields } = chain.target;
  if (fields.table_type === 'VIEW' || fields.table_type === 'METRIC_VIEW')
    throw problems.notTable(shownName(chain), operation);
  const isWritable = fields.table_type === 'MANAGED' || fields.table_type === 'EXTERNAL';
  if (!isWritable || !hasData(fields) || isInVolume(chain.target))
    throw problems.unsupported(
      `${operation} of ${shownName(chain)}: the rows of materialized views, streaming tables, foreign tables and tables in volumes come from elsewhere`,
    );
  const snapshot = await snapshotOf(acting, chain);
  if (reads) refuseFiltered(chain, snapshot);
  return { name, chain, snapshot, metastore };
}

/** Writes the rows to files that a commit can add. */
export function stageFor(
  acting: Acting,
  columns: readonly Column[],
  rows: readonly Row[],
): Promise<readonly NewFile[]> {
  const by = columns.flatMap(({ partition_index: partition }, index) => (partition === undefined ? [] : [index]));
  const partitions = new Set<string>();
  if (by.length > 0)
    for (const row of rows) {
      partitions.add(JSON.stringify(by.map((index) => String(row[index]))));
      if (partitions.size > MOST_PARTITIONS)
        throw problems.tooMuch(`it would write more than ${MOST_PARTITIONS} partitions at once`);
    }
  return stageRows(acting.jar, columns, rows);
}

/** Returns true if rows prepared for a table still fit its current definition. */
export const isSame = (before: Securable, now: Securable): boolean =>
  before.id === now.id &&
  schemaOf(before) === schemaOf(now) &&
  JSON.stringify(before.fields.properties) === JSON.stringify(now.fields.properties);

export interface Write extends Pick<Commit, 'operation' | 'parameters' | 'remove'> {
  readonly files: readonly NewFile[];
  /** Requires that the table is unchanged since it was read. */
  readonly exclusive?: boolean;
}

/** Called in a transaction: throws if the table was written since it was read. */
export async function requireUnchanged(tx: Tx, { chain, snapshot }: Pick<Target, 'chain' | 'snapshot'>): Promise<void> {
  const state = (await tx.get(tableStates, snapshot.table, 'update'))?.value;
  if (state?.version !== snapshot.version) throw new Conflict(fullNameOf(chain));
}

/** Commits one version of a table, if it is still the same table. */
export async function commit(tx: Tx, acting: Acting, target: Target, write: Write): Promise<void> {
  const { chain, name } = target;
  const metastore = await metastoreNow(tx, target.metastore);
  const now = await findTable(acting, name, 'MODIFY', { reader: tx, metastore, lock: 'share' });
  if (!isSame(chain.target, now.target)) throw new Conflict(fullNameOf(chain));
  if (write.exclusive) await requireUnchanged(tx, target);
  const { operation, parameters, remove = [], files } = write;
  const by = callerIdentity(acting).principal.id;
  try {
    await replaceFiles(tx, acting.jar, now.target, {
      operation,
      ...(parameters && { parameters }),
      by,
      add: files,
      remove,
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ABORTED') throw new Conflict(fullNameOf(chain));
    throw error;
  }
}

/** The result and the changes of a statement that writes. */
export const writing = (
  acting: Acting,
  target: Target,
  write: Write,
  counts: Readonly<Record<string, number>>,
): Effect => ({
  result: countsResult(counts),
  apply: (tx) => commit(tx, acting, target, write),
  discard: () => discardFiles(acting.jar, write.files),
});

/** One row of counts: `num_affected_rows`. */
export const countsResult = (counts: Readonly<Record<string, number>>): StatementResult => ({
  columns: Object.keys(counts).map((name) => ({ name, type: simple('LONG') })),
  rows: [Object.values(counts).map(String)],
});

/** Result of statements that return nothing. */
export const NO_RESULT: StatementResult = { columns: [], rows: [] };
