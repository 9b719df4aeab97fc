import { ApiError } from '../http/errors.ts';
import { nextLink } from '../http/paging.ts';
import type { Call } from '../http/route.ts';
import { ODataError } from './errors.ts';

/** The page that the two wire formats render. */

interface Shown {
  readonly value: readonly unknown[];
  readonly count?: number;
  readonly skipToken?: string;
}

/** `@odata.context`, `@odata.count` and `@odata.nextLink` with `value`. */
export function odataBody(call: Pick<Call, 'origin' | 'url'>, context: string, { value, count, skipToken }: Shown) {
  return {
    '@odata.context': context,
    ...(count !== undefined && { '@odata.count': count }),
    value,
    ...(skipToken !== undefined && { '@odata.nextLink': nextLink(call, skipToken) }),
  };
}

/** `nextLink` with `value`, as in the management API. */
export function armBody(
  call: Pick<Call, 'origin' | 'url'>,
  { value, count, skipToken }: Shown,
  extra: Readonly<Record<string, unknown>> = {},
) {
  return {
    value,
    ...extra,
    ...(count !== undefined && { count }),
    ...(skipToken !== undefined && { nextLink: nextLink(call, skipToken) }),
  };
}

/** `$metadata#customers(id,name)`: the context includes the selection. */
export const contextOf = (base: string, set: string, select?: string): string =>
  `${base}/$metadata#${set}${select === undefined ? '' : `(${select.replace(/\s+/g, '')})`}`;

/** Runs code that parses query options, and converts a mistake in them to the family's error for that option. */
export async function refusing<R>(run: () => Promise<R> | R, codeOf: (error: ODataError) => string): Promise<R> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ODataError) throw apiError(error, codeOf(error));
    throw error;
  }
}

export function apiError(error: ODataError, code: string): ApiError {
  const { option, message, position } = error;
  const text = position === undefined ? `${upper(message)}.` : `The '${option}' is not valid: ${message}.`;
  return new ApiError(400, code, text, { target: option, cause: error });
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
