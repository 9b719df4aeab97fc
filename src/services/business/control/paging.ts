import { Type } from 'typebox';
import { decodeSkipToken, encodeSkipToken, nextLink } from '../../../kernel/http/paging.ts';
import type { Call } from '../../../kernel/http/route.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import type { Position } from '../../../kernel/store/types.ts';
import { businessControlErrors } from './subscription-errors.ts';

export const DEFAULT_TOP = 50;
const MOST_AT_ONCE = 500;

/** What every list of these routes takes. */
export const PAGE = {
  $top: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_AT_ONCE })),
  $skiptoken: Type.Optional(Type.String()),
};

/** Where the page before has ended. */
export function placeOf<Place extends object = Position>(
  { vault }: Pick<Jar, 'vault'>,
  list: string,
  token: string | undefined,
): Place | undefined {
  if (token === undefined) return undefined;
  const place = decodeSkipToken<Place>(vault, list, token);
  if (!place) throw businessControlErrors.BadSkipToken({}, { target: '$skiptoken' });
  return place;
}

export function nextOf(call: Pick<Call, 'jar' | 'origin' | 'url'>, list: string, next: object | undefined) {
  return next && { nextLink: nextLink(call, encodeSkipToken(call.jar.vault, list, next)) };
}
