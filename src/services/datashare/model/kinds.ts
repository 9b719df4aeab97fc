import type { Json } from '../../../kernel/store/index.ts';

/**
 * The kinds of data that can be shared. Kinds with `files` are copied; the others are only stored and shown, and a run reports that it
 * cannot copy them.
 */

/** The property names that locate the files of a data set or mapping. */
interface Files {
  readonly container: string;
  /** Undefined: the whole container. */
  readonly path?: string;
  readonly isFile: boolean;
}

interface KindRow {
  /** The properties of a data set; all are required. */
  readonly dataSet: readonly string[];
  /** The properties of a mapping, in addition to `dataSetId`. */
  readonly mapping: readonly string[];
  readonly files?: Files;
  /** The kinds to which this kind can be mapped, if it is neither a file nor a folder; table rows can also be mapped to a file. */
  readonly mapsTo?: readonly string[];
}

const ACCOUNT = ['storageAccountName', 'resourceGroup', 'subscriptionId'];
const OLD_LAKE = ['accountName', 'resourceGroup', 'subscriptionId'];
const TABLES = ['SqlDBTable', 'SqlDWTable', 'SynapseWorkspaceSqlPoolTable', 'Blob', 'AdlsGen2File'];

const files = (container: string, path: string | undefined, isFile: boolean): KindRow => {
  const names = [container, ...(path === undefined ? [] : [path]), ...ACCOUNT];
  return { dataSet: names, mapping: names, files: { container, ...(path !== undefined && { path }), isFile } };
};

export const KINDS = {
  Blob: files('containerName', 'filePath', true),
  Container: files('containerName', undefined, false),
  BlobFolder: files('containerName', 'prefix', false),
  AdlsGen2FileSystem: files('fileSystem', undefined, false),
  AdlsGen2Folder: files('fileSystem', 'folderPath', false),
  AdlsGen2File: files('fileSystem', 'filePath', true),
  AdlsGen1Folder: { dataSet: ['folderPath', ...OLD_LAKE], mapping: [], mapsTo: ['AdlsGen2Folder', 'BlobFolder'] },
  AdlsGen1File: { dataSet: ['fileName', 'folderPath', ...OLD_LAKE], mapping: [], mapsTo: ['AdlsGen2File', 'Blob'] },
  KustoCluster: { dataSet: ['kustoClusterResourceId'], mapping: ['kustoClusterResourceId'], mapsTo: ['KustoCluster'] },
  KustoDatabase: {
    dataSet: ['kustoDatabaseResourceId'],
    mapping: ['kustoClusterResourceId'],
    mapsTo: ['KustoDatabase', 'KustoCluster'],
  },
  KustoTable: { dataSet: ['kustoDatabaseResourceId'], mapping: ['kustoClusterResourceId'], mapsTo: ['KustoTable'] },
  SqlDBTable: {
    dataSet: ['databaseName', 'schemaName', 'sqlServerResourceId', 'tableName'],
    mapping: ['databaseName', 'schemaName', 'sqlServerResourceId', 'tableName'],
    mapsTo: TABLES,
  },
  SqlDWTable: {
    dataSet: ['dataWarehouseName', 'schemaName', 'sqlServerResourceId', 'tableName'],
    mapping: ['dataWarehouseName', 'schemaName', 'sqlServerResourceId', 'tableName'],
    mapsTo: TABLES,
  },
  SynapseWorkspaceSqlPoolTable: {
    dataSet: ['synapseWorkspaceSqlPoolTableResourceId'],
    mapping: ['synapseWorkspaceSqlPoolTableResourceId'],
    mapsTo: TABLES,
  },
  // In-place sharing; exists in one preview version only.
  BlobStorageAccount: {
    dataSet: ['storageAccountResourceId'],
    mapping: ['storageAccountResourceId'],
    mapsTo: ['BlobStorageAccount'],
  },
  AdlsGen2StorageAccount: {
    dataSet: ['storageAccountResourceId'],
    mapping: ['storageAccountResourceId'],
    mapsTo: ['AdlsGen2StorageAccount'],
  },
} as const satisfies Readonly<Record<string, KindRow>>;

export type Kind = keyof typeof KINDS;

const rows: Readonly<Record<string, KindRow>> = KINDS;

export type KindProperties = { readonly [name: string]: Json };

/** The location of the files of a data set or mapping. */
export interface Place {
  readonly account: string;
  readonly container: string;
  /** Of a file or folder, without leading or trailing slashes; empty for the whole container. */
  readonly path: string;
  readonly isFile: boolean;
}

/** Returns undefined for kinds that do not consist of files. */
export function placeOf(kind: string, properties: KindProperties): Place | undefined {
  const at = rows[kind]?.files;
  if (!at) return undefined;
  const path = at.path === undefined ? '' : String(properties[at.path]);
  return {
    account: String(properties.storageAccountName),
    container: String(properties[at.container]),
    path: path.replace(/^\/+|\/+$/g, ''),
    isFile: at.isFile,
  };
}

/** The location of a data set as shown to consumers: `container/path`. */
export function pathOf(kind: string, properties: KindProperties): string {
  const place = placeOf(kind, properties);
  if (place) return [place.container, place.path].filter(Boolean).join('/');
  const names = rows[kind]?.dataSet.filter((name) => !ACCOUNT.includes(name)) ?? [];
  return names.map((name) => String(properties[name])).join('/');
}

/** A file can be mapped to a file or a folder, a folder only to a folder. */
export function canMap(from: string, to: string): boolean {
  const [source, target] = [rows[from], rows[to]];
  if (!source || !target) return false;
  if (!source.files) return source.mapsTo?.includes(to) ?? false;
  return target.files !== undefined && (source.files.isFile || !target.files.isFile);
}

/** True if two data sets or two mappings of one kind name the same place. */
export const sameProperties = (one: KindProperties, other: KindProperties): boolean =>
  Object.keys({ ...one, ...other }).every((name) => one[name] === other[name]);
