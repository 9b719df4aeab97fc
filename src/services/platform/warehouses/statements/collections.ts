import { collection, number, text } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { warehouseKey } from '../collections.ts';

export type StatementState = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'CLOSED';

export interface StatementParameter {
  readonly name?: string;
  readonly value: string | null;
  readonly type: string;
}

/** A label of a statement, shown in the query history. */
export interface QueryTag {
  readonly key: string;
  readonly value?: string;
}

/** A SQL statement with its state and its result. The key is `statementKey`. */
export interface Statement {
  readonly id: string;
  readonly workspaceId: string;
  readonly warehouseId: string;
  /** Id of a principal. */
  readonly creator: string;
  readonly user: string;
  /** Truncated once it has run. */
  readonly text: string;
  readonly parameters: readonly StatementParameter[];
  readonly catalog: string;
  readonly schema: string;
  readonly disposition: 'INLINE' | 'EXTERNAL_LINKS';
  readonly format: 'JSON_ARRAY' | 'CSV';
  readonly rowLimit?: number;
  readonly byteLimit?: number;
  readonly tags?: readonly QueryTag[];
  readonly state: StatementState;
  readonly error?: { readonly code: string; readonly message: string; readonly sqlState?: string };
  readonly createdAt: number;
  /** Time of the last request for it, until it has ended. */
  readonly seenAt?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly columns?: readonly JsonMembers[];
  readonly chunks?: readonly { readonly rows: number; readonly bytes: number }[];
  readonly isTruncated?: boolean;
}

export const isOver = ({ state }: Pick<Statement, 'state'>): boolean => state !== 'PENDING' && state !== 'RUNNING';

export const statements = collection<Statement>('platform.statements', {
  fields: {
    workspace: text((it) => it.workspaceId),
    createdAt: number((it) => it.createdAt),
    creator: text((it) => it.creator),
    warehouse: text((it) => it.warehouseId),
    state: text((it) => it.state),
    /** The warehouse that it waits for. */
    waitsFor: text((it) => (it.state === 'PENDING' ? warehouseKey(it.workspaceId, it.warehouseId) : undefined)),
  },
  indexes: [['workspace', 'createdAt'], ['waitsFor']],
  wide: true,
});

export const statementKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

/** A part of a result. The key is that of the statement and the number of the part. */
export interface StatementChunk {
  readonly rows: readonly (readonly (string | null)[])[];
}

export const statementChunks = collection<StatementChunk>('platform.statement_chunks', { wide: true });

export const chunkKey = (statement: string, index: number): string => `${statement}/${index}`;

export const STATEMENT_COLLECTIONS = [statements, statementChunks] as const;
