import type { AnyRouteCode } from '../../../kernel/http/index.ts';
import type { NeedName, Operation } from '../operation.ts';

/** An operation in short. Diagnostics are read by whoever may read about the app, which is what most of them do. */
export type Row = readonly [
  operation: string,
  method: Operation['method'],
  /** Behind that of the app. */
  path: string,
  summary: string,
  code: AnyRouteCode,
  needs?: NeedName,
];

export const operationsOf = (rows: readonly Row[]): readonly Operation[] =>
  rows.map(([operation, method, path, summary, code, needs = 'appRead']) => ({
    method,
    path: `/apps/{owner_name}/{app_name}${path}`,
    operation,
    summary,
    needs,
    code,
  }));
