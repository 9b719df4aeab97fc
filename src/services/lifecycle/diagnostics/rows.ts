import type { AnyRouteCode } from '../../../kernel/http/index.ts';
import type { NeedName, Operation } from '../operation.ts';

/** An operation in short form. By default it needs the right to read about the app. */
export type Row = readonly [
  operation: string,
  method: Operation['method'],
  /** Path below the app's path. */
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
