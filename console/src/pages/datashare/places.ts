import type { Child } from './api.ts';

/** Properties that name a file, folder, container or table, from the outermost to the innermost. */
const PATH = [
  'storageAccountName',
  'accountName',
  'containerName',
  'fileSystem',
  'prefix',
  'folderPath',
  'filePath',
  'fileName',
  'databaseName',
  'dataWarehouseName',
  'schemaName',
  'tableName',
] as const;

/** `source/data/reports`: where the data of a data set or mapping is. */
export function placeOf({ properties }: Child): string {
  const parts = PATH.map((name) => properties[name]).filter((part) => typeof part === 'string' && part !== '');
  if (parts.length > 0) return parts.join('/');
  const other = Object.entries(properties).find(([name]) => name.endsWith('ResourceId'));
  return other ? String(other[1]) : '';
}

export function textOf({ properties }: Child, name: string): string {
  const value = properties[name];
  return typeof value === 'string' ? value : '';
}
