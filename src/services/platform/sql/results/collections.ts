import { collection, number, text } from '../../../../kernel/store/index.ts';

export type Cell = string | number | boolean | null;

/** The result of a query. */
export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * The configured result of a query. The jar has no tables to run it on: a test sets the result through the control API. The key is
 * `resultKey`.
 */
export interface QueryResult extends Rows {
  readonly workspaceId: string;
  /** The saved query; alternative to `statement`. */
  readonly queryId?: string;
  /** Applies to every query with this text. */
  readonly statement?: string;
  /** The query fails with this message. */
  readonly error?: string;
  readonly setAt: number;
}

export const queryResults = collection<QueryResult>('platform.query_results', {
  fields: {
    workspace: text((it) => it.workspaceId),
    query: text((it) => it.queryId),
    setAt: number((it) => it.setAt),
  },
  indexes: [['workspace', 'setAt'], ['setAt']],
  wide: true,
});

/** `of`: the id of a saved query, or the digest of a text. */
export const resultKey = (workspaceId: string, of: string): string => `${workspaceId}/${of}`;

export const RESULT_COLLECTIONS = [queryResults] as const;
