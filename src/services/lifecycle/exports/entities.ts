import type { ExportEntity } from './collections.ts';

/** Entities that are exported to separate blobs. */
export type ExportedEntity = 'logs' | Exclude<ExportEntity, 'no_logs'>;

export const EXPORTED_ENTITIES = ['logs', 'crashes', 'errors', 'attachments'] as const;

/** Log types that do not concern the use of an app. */
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
