import { Type } from 'typebox';
import type { Jar } from '../jar-context.ts';
import type { Position } from '../store/types.ts';
import { errorTable } from './errors.ts';
import { decodeSkipToken, encodeSkipToken, nextLink } from './paging.ts';
import type { Call } from './route.ts';

/** How lists of the control API are paged, whoever offers them. */

export const DEFAULT_TOP = 50;
export const MOST_AT_ONCE = 500;

/** What such a list takes. */
export const PAGE = {
  $top: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_AT_ONCE })),
  $skiptoken: Type.Optional(Type.String()),
};

const errors = errorTable({
  BadSkipToken: [400, "The '$skiptoken' was not made here, or not for this list."],
});

/** Where the page before has ended, by its `$skiptoken`, which is good for the list of this name and no other. */
export function placeOf<Place extends object = Position>(
  { vault }: Pick<Jar, 'vault'>,
  list: string,
  token: string | undefined,
): Place | undefined {
  if (token === undefined) return undefined;
  const place = decodeSkipToken<Place>(vault, list, token);
  if (!place) throw errors.BadSkipToken({}, { target: '$skiptoken' });
  return place;
}

/** What a page says of the next one, if there is one. */
export function nextOf(call: Pick<Call, 'jar' | 'origin' | 'url'>, list: string, next: object | undefined) {
  return next && { nextLink: nextLink(call, encodeSkipToken(call.jar.vault, list, next)) };
}
