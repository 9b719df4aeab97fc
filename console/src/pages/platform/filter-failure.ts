import { Failure } from '../../shared/api/failure.ts';
import type { Rows } from '../../shared/list/use-rows.ts';

/** The rows of a list whose API does not say that a mistake is one of the filter: it is shown in the filter bar. */
export function withFilterFailure<Row>(rows: Rows<Row>, filter: string | undefined): Rows<Row> {
  const { failure } = rows;
  if (failure?.status !== 400 || filter === undefined) return rows;
  return { ...rows, failure: new Failure(failure.status, failure.code, failure.message, '$filter') };
}
