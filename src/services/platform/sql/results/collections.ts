import { collection, number, text } from '../../../../kernel/store/index.ts';

export type Cell = string | number | boolean | null;

/** What a query gives. */
export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * What a query is said to give when it is run. There are no tables to run it on: a test sets the result through the control API. The key is `resultKey`.
 */
export interface QueryResult extends Rows {
  readonly workspaceId: string;
  /** Of a saved query; or else `statement`. */
  readonly queryId?: string;
  /** Of every query with this text. */
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
