import type { PlatformCall } from '../../../jar.ts';
import type { TableFile, TableVersion } from '../../tables/collections.ts';
import { columnsOf } from '../../tables/column-store.ts';
import type { Column } from '../../tables/columns.ts';
import { stateOf } from '../../tables/data/files.ts';
import type { Capabilities } from './capabilities.ts';
import { fileLink } from './links.ts';
import type { SharedTable } from './shared-tables.ts';

/** The lines of an answer about a table, in the client's format: one JSON object per line. */

const READER_VERSION = 1;

export const protocolLine = ({ format }: Capabilities): object =>
  format === 'delta'
    ? { protocol: { deltaProtocol: { minReaderVersion: READER_VERSION, minWriterVersion: 2 } } }
    : { protocol: { minReaderVersion: READER_VERSION } };

const partitionsOf = (columns: readonly Column[]): readonly string[] =>
  columns
    .filter(({ partition_index: index }) => index !== undefined)
    .sort((one, other) => (one.partition_index ?? 0) - (other.partition_index ?? 0))
    .map(({ name }) => name);

export async function metadataLine(
  { jar }: PlatformCall,
  { chain, object }: SharedTable,
  at: TableVersion,
  { format, named }: { readonly format: Capabilities['format']; readonly named: boolean },
): Promise<object> {
  const { target: table } = chain;
  const columns = await columnsOf(jar.store, table, at.schema);
  const state = await stateOf(jar.store, table.id);
  const description = object.fields.comment ?? table.fields.comment;
  const metadata = {
    id: table.id,
    name: table.name,
    ...(typeof description === 'string' && { description }),
    format: { provider: 'parquet' },
    schemaString: JSON.stringify({ type: 'struct', fields: columns.map(({ type_json: json }) => JSON.parse(json)) }),
    partitionColumns: partitionsOf(columns),
    configuration: object.fields.cdf_enabled === true ? { enableChangeDataFeed: 'true' } : {},
  };
  const size = state && state.version === at.version ? { size: state.bytes, numFiles: state.files } : {};
  const version = named ? { version: at.version } : {};
  if (format === 'delta')
    return { metaData: { deltaMetadata: { ...metadata, createdTime: table.createdAt }, ...version, ...size } };
  return { metaData: { ...metadata, ...version, ...size } };
}

interface FileLine {
  readonly file: TableFile;
  readonly until: number;
  /** Set if the line is about a change, or about a requested version. */
  readonly at?: { readonly version: number; readonly timestamp: number };
  /** `file`, or for a change `add` or `remove`. Default: `file`. */
  readonly as?: 'file' | 'add' | 'remove';
}

export function fileLine(
  call: PlatformCall,
  { format }: Capabilities,
  { file, until, at, as = 'file' }: FileLine,
): object {
  const url = fileLink(call, file, until);
  const stats = JSON.stringify(file.stats);
  const partitionValues = Object.fromEntries(
    Object.entries(file.partitionValues).map(([name, value]) => [name, value ?? '']),
  );
  const head = { id: file.id, size: file.size, expirationTimestamp: until, ...at };
  if (format === 'delta') {
    const action = { path: url, partitionValues: file.partitionValues, size: file.size };
    const single =
      as === 'remove'
        ? {
            remove: { ...action, deletionTimestamp: file.removedAt ?? 0, dataChange: true, extendedFileMetadata: true },
          }
        : { add: { ...action, modificationTime: file.addedAt, dataChange: true, stats } };
    return { file: { ...head, deltaSingleAction: single } };
  }
  return { [as]: { url, ...head, partitionValues, ...(as !== 'remove' && { stats }) } };
}

export const endLine = (until: number): object => ({ endStreamAction: { minUrlExpirationTimestamp: until } });
