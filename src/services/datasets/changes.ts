import type { Json, Tx } from '../../kernel/store/index.ts';

/** `rows` and `clear` concern the rows of a table: one record per request, however many rows it has. */
export interface DatasetsChange {
  readonly kind: 'create' | 'update' | 'users' | 'delete' | 'schema' | 'rows' | 'clear';
  readonly subject: string;
  readonly data: Json;
}

export const SOURCE = 'datasets';

export const recordChange = (
  tx: Tx,
  { clock }: { readonly clock: { now(): number } },
  change: DatasetsChange,
): Promise<void> => tx.change({ ...change, source: SOURCE, outcome: 'Succeeded', at: clock.now() });

export const datasetSubject = (id: string): string => `/datasets/${id}`;
export const tableSubject = (id: string, table: string): string => `/datasets/${id}/tables/${table}`;
export const workspaceSubject = (key: string): string => `/groups/${key}`;
