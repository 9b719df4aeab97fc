import type { ExportEntity } from './collections.ts';

/** What is exported under a name of its own. */
export type ExportedEntity = 'logs' | Exclude<ExportEntity, 'no_logs'>;

export const EXPORTED_ENTITIES = ['logs', 'crashes', 'errors', 'attachments'] as const;

/** The types of logs that are not about the use of an app. */
const DIAGNOSTICS: Readonly<Record<string, ExportedEntity>> = {
  appleError: 'crashes',
  managedError: 'crashes',
  error: 'crashes',
  handledError: 'errors',
  errorAttachment: 'attachments',
};

export const entityOf = (type: string): ExportedEntity =>
  Object.hasOwn(DIAGNOSTICS, type) ? (DIAGNOSTICS[type] as ExportedEntity) : 'logs';

export const isWanted = (entity: ExportedEntity, wanted: readonly ExportEntity[]): boolean =>
  entity === 'logs' ? !wanted.includes('no_logs') : wanted.includes(entity);
