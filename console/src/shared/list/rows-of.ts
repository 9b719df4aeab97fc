import type { Data } from '../api/use-data.ts';
import type { Rows } from './use-rows.ts';

/** The rows of a list that its API answers whole, for `List`. */
export function rowsOf<Row>({ data, failure, isLoading, isStale, readAgain }: Data<readonly Row[]>): Rows<Row> {
  return {
    rows: data ?? [],
    waiting: 0,
    showWaiting: () => {},
    hasMore: false,
    loadMore: () => {},
    failure,
    isLoading: isLoading && data === undefined,
    isStale,
    readAgain,
  };
}
