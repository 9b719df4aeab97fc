import type { Reader } from '../../../../../kernel/store/index.ts';
import { textOf } from '../../../engine/json.ts';
import { errors } from '../../../errors.ts';
import type { Actor, PlatformJar } from '../../../jar.ts';
import { holds, requirePrivilege, requireReachable } from '../../core/access.ts';
import { byId, type Chain, chainById, findChain, fullNameOf } from '../../core/chain.ts';
import { metastoreIn } from '../../core/metastore.ts';
import { dataIdOf, type Securable, SYSTEM_USER } from '../../core/securables.ts';
import type { TableFile } from '../../tables/collections.ts';
import { columnsOf } from '../../tables/column-store.ts';
import type { Column } from '../../tables/columns.ts';
import { filePages } from '../../tables/data/files.ts';
import { type Row, readRows } from '../../tables/data/rows.ts';
import { sharedObjects } from '../collections.ts';
import { partitionRule } from '../protocol/partitions.ts';
import { sharedFrom } from './shared-catalog.ts';

/** A table whose rows may be read: its own, or those that another metastore shares. */
export interface ReadableTable {
  readonly chain: Chain;
  /** By which columns, versions and files are kept: that of the provider's table where it is shared. */
  readonly dataId: string;
  readonly columns: readonly Column[];
  /** The files of now, or of an earlier version, in pages; of a shared table those that the share gives. */
  files(version?: number): AsyncGenerator<readonly TableFile[]>;
}

/** The table of a full name, if the caller may read it. */
export async function readableTable(call: Actor, fullName: string): Promise<ReadableTable> {
  const { store } = call.jar;
  const chain = await findChain(store, await metastoreIn(call), 'table', fullName);
  requirePrivilege(call, chain, 'SELECT');
  requireReachable(call, chain);
  const { target } = chain;
  const dataId = dataIdOf(target);
  const isGiven = await givenFiles(call.jar, chain);
  return {
    chain,
    dataId,
    columns: await columnsOf(store, target),
    files: (version) => files(store, dataId, version, isGiven),
  };
}

async function* files(
  reader: Reader,
  table: string,
  version: number | undefined,
  isGiven: ((file: TableFile) => boolean) | undefined,
): AsyncGenerator<readonly TableFile[]> {
  for await (const page of filePages(reader, table, version)) yield isGiven ? page.filter(isGiven) : page;
}

/** The rows of a table, in groups, if the caller may read it. */
export async function* rowsOfTable(
  call: Actor,
  fullName: string,
  { version }: { readonly version?: number } = {},
): AsyncGenerator<readonly Row[]> {
  const table = await readableTable(call, fullName);
  for await (const page of table.files(version))
    for (const file of page) yield* readRows(call.jar.store, file, table.columns);
}

/**
 * Which files of a table in a catalog of a share are given to read; undefined: all of them, as for every other table. Recipients read with the rights of
 * whoever owns the share, and the partitions that it gives them.
 */
export async function givenFiles(jar: PlatformJar, chain: Chain): Promise<((file: TableFile) => boolean) | undefined> {
  const dataId = dataIdOf(chain.target);
  if (dataId === chain.target.id) return undefined;
  const { store } = jar;
  const from = chain.above.map(sharedFrom).find((each) => each !== undefined);
  const [share, recipient, source] = [
    await byId(store, from?.share ?? ''),
    await byId(store, from?.recipient ?? ''),
    await chainById(store, dataId),
  ];
  const object = (await store.get(sharedObjects, textOf(chain.target.extra?.object) ?? '', 'none'))?.value;
  if (!share || !recipient || !source || !object || !(await ownerReads(jar, share, source)))
    throw errors.PERMISSION_DENIED({
      reason: `The provider does not give '${fullNameOf(chain)}' to read any more: the owner of its share has lost the right to, or it is gone.`,
    });
  const { target } = source;
  if (target.fields.row_filter !== undefined || (await columnsOf(store, target)).some(({ mask }) => mask))
    throw errors.PERMISSION_DENIED({
      reason: `'${fullNameOf(chain)}' has a row filter or masks at its provider, which are not run: it cannot be read.`,
    });
  return partitionRule(object, recipient);
}

async function ownerReads(jar: PlatformJar, share: Securable, source: Chain): Promise<boolean> {
  if (share.owner === SYSTEM_USER) return true;
  const standing = await jar.standings.of(share.accountId, share.owner);
  return standing !== undefined && holds(standing, source, 'SELECT');
}
