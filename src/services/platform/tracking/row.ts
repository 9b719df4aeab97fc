import { ok } from '../../../kernel/http/index.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';

/** A row below `/mlflow`, also served at the path that browsers use and at the path of the rate table, which calls the product `/ml`. */
export function trackingRow(
  method: Operation['method'],
  path: string,
  operation: string,
  summary: string,
  answer: (call: PlatformCall) => Promise<object>,
  { rated = `/ml/${path}`, ...rest }: Partial<Operation> = {},
): Operation {
  return {
    method,
    path: `/mlflow/${path}`,
    rated,
    bare: [...new Set([rated, `/ml/${path}`]), `/ajax-api/2.0/mlflow/${path}`],
    operation,
    summary,
    ...rest,
    code: routeCode([], { handle: async (call) => ok(await answer(call)) }),
  };
}

/** For operations with an empty response. */
export const done = (action: (call: PlatformCall) => Promise<void>) => async (call: PlatformCall) => {
  await action(call);
  return {};
};
