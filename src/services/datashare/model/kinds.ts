import type { Json } from '../../../kernel/store/index.ts';

/** The kinds of data that can be shared. Those with `files` are copied; the others are kept and shown, and a run says that it cannot copy them. */

/** Where the files of a data set or a mapping are, by the names of its properties. */
interface Files {
  readonly container: string;
  /** Absent: all of the container. */
  readonly path?: string;
  readonly isFile: boolean;
}

interface KindRow {
  /** The properties of a data set, all of them required. */
  readonly dataSet: readonly string[];
  /** Those of a mapping, beside `dataSetId`. */
  readonly mapping: readonly string[];
  readonly files?: Files;
  /** What is neither a file nor a folder can be mapped to these kinds; rows of a table also to a file. */
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
  // In-place sharing, of one preview alone.
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

/** The files that a data set or a mapping names. */
export interface Place {
  readonly account: string;
  readonly container: string;
  /** Of a file or a folder, without slashes at its ends; empty: all of the container. */
  readonly path: string;
  readonly isFile: boolean;
}

/** Undefined for kinds that are not made of files. */
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

/** What consumers see of where a data set is: `container/path`. */
export function pathOf(kind: string, properties: KindProperties): string {
  const place = placeOf(kind, properties);
  if (place) return [place.container, place.path].filter(Boolean).join('/');
  const names = rows[kind]?.dataSet.filter((name) => !ACCOUNT.includes(name)) ?? [];
  return names.map((name) => String(properties[name])).join('/');
}

/** A file can go to a file or into a folder, a folder into a folder only. */
export function canMap(from: string, to: string): boolean {
  const [source, target] = [rows[from], rows[to]];
  if (!source || !target) return false;
  if (!source.files) return source.mapsTo?.includes(to) ?? false;
  return target.files !== undefined && (source.files.isFile || !target.files.isFile);
}

/** Whether two data sets, or two mappings, of one kind name the same place. */
export const sameProperties = (one: KindProperties, other: KindProperties): boolean =>
  Object.keys({ ...one, ...other }).every((name) => one[name] === other[name]);
