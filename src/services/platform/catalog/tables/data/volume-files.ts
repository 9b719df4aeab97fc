import { pagesOf } from '../../../../../kernel/store/index.ts';
import { readRange } from '../../../blobs/store.ts';
import { errors } from '../../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../../jar.ts';
import { nodeKey, type TreeNode, treeNodes } from '../../../tree/collections.ts';
import { childrenKeyOf, follow, isDirectory } from '../../../tree/nodes.ts';
import { type Chain, metastoreOf } from '../../core/chain.ts';
import type { Securable } from '../../core/securables.ts';
import { findVolume, isVolumePath, volumePath } from '../../volumes/places.ts';
import type { TableVersion } from '../collections.ts';
import type { Column } from '../columns.ts';
import { filesAt } from './files.ts';
import { loadParquet } from './load-parquet.ts';
import { type NewFile, replaceFiles } from './log.ts';

/** External tables in a directory of a volume: the Parquet files in the directory are their data. */

type DataCall = Pick<PlatformCall, 'jar' | 'facts'>;

const MOST_FILES = 1000;
const PARQUET = '.parquet';

export interface FoundFiles {
  readonly files: readonly (NewFile & { readonly path: string; readonly bytes: { readonly borrowed: BorrowedBlob } })[];
  /** Columns of the first file; empty if there is no file. */
  readonly columns: readonly Column[];
}

interface BorrowedBlob {
  readonly blob: string;
  readonly size: number;
}

/** The current files of the directory. The caller needs to be allowed to read the volume. */
export async function findFiles(call: DataCall, metastore: Securable, location: string): Promise<FoundFiles> {
  const { store } = call.jar;
  const { tree, names, path } = await findVolume(store, call, metastore, volumePath(location, 'storage_location'));
  const { nodes, missing } = await follow(store, tree, names);
  const last = nodes.at(-1);
  // A directory that does not exist yet is empty, as in storage without directories.
  if (missing.length > 0) return { files: [], columns: [] };
  if (last && !isDirectory(last)) throw invalid(`${path} is a file; the location of a table must be a directory.`);
  const found: FoundFiles['files'][number][] = [];
  let columns: readonly Column[] | undefined;
  for await (const page of pagesOf(store, treeNodes, { prefix: nodeKey(tree, childrenKeyOf(last), '') }))
    for (const { value } of page) {
      if (!isParquet(value)) continue;
      if (found.length === MOST_FILES) throw invalid(`${path} has more than ${MOST_FILES} Parquet files.`);
      const file = await readFile(call, value, path);
      columns ??= file.columns;
      const stats = { numRecords: file.rows, minValues: {}, maxValues: {}, nullCount: {} };
      found.push({ path: value.name, bytes: { borrowed: file.blob }, stats });
    }
  return { files: found, columns: columns ?? [] };
}

/** By convention, names that start with a dot or an underscore are not data. */
const isParquet = ({ name, type }: TreeNode): boolean =>
  type === 'FILE' && name.toLowerCase().endsWith(PARQUET) && !/^[._]/.test(name);

async function readFile({ jar }: DataCall, { blob = '', size = 0, name }: TreeNode, directory: string) {
  const { parquetInfo } = await loadParquet();
  try {
    const info = await parquetInfo(size, (offset, length) => readRange(jar.store, { blob, size }, offset, length));
    return { ...info, blob: { blob, size } };
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw invalid(`${directory}/${name.slice(0, 200)} cannot be read as a Parquet file: ${reason}`);
  }
}

/** Whether a table has its data in a volume. */
export const isInVolume = ({ fields }: Pick<Securable, 'fields'>): boolean =>
  typeof fields.storage_location === 'string' && isVolumePath(fields.storage_location);

/**
 * Rescans the directory of a table: added, removed or overwritten files make a new version. Returns that version, or undefined if nothing
 * has changed or the table is not in a volume.
 */
export async function refreshTable(call: DataCall, chain: Chain): Promise<TableVersion | undefined> {
  const { target: table } = chain;
  if (!isInVolume(table)) return undefined;
  const { jar } = call;
  const { files } = await findFiles(call, metastoreOf(chain), String(table.fields.storage_location));
  const known = new Map((await filesAt(jar.store, table.id)).map((file) => [`${file.path}/${file.blob}`, file.id]));
  const add = files.filter(({ path, bytes }) => !known.delete(`${path}/${bytes.borrowed.blob}`));
  if (add.length === 0 && known.size === 0) return undefined;
  const commit = { operation: 'REFRESH', by: callerIdentity(call).principal.id, add, remove: [...known.values()] };
  return jar.store.transact((tx) => replaceFiles(tx, jar, table, commit));
}

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });
