import { decodeSkipToken, encodeSkipToken, nextLink } from '../kernel/http/paging.ts';
import type { Call } from '../kernel/http/route.ts';
import type { Position } from '../kernel/store/types.ts';
import { controlErrors } from './family.ts';

/** Where a page begins by its `$skiptoken`, which is good for the list of this name and no other. */
export function placeOf({ jar }: Pick<Call, 'jar'>, list: string, token: string): Position {
  const position = decodeSkipToken<Position>(jar.vault, list, token);
  if (!position) throw controlErrors.BadSkipToken({}, { target: '$skiptoken' });
  return position;
}

/** What a page says of the next one, if there is one. */
export function nextOf(call: Pick<Call, 'jar' | 'origin' | 'url'>, list: string, next: Position | undefined) {
  return next && { nextLink: nextLink(call, encodeSkipToken(call.jar.vault, list, next)) };
}
