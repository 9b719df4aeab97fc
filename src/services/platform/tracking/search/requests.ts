import { decodeSkipToken, encodeSkipToken } from '../../../../kernel/http/index.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { trackingErrors } from '../errors.ts';
import type { Request } from '../request.ts';
import type { Place } from './sort.ts';

/** What requests of all searches have in common. */

export const VIEW_TYPES = ['ACTIVE_ONLY', 'DELETED_ONLY', 'ALL'] as const;
export type ViewType = (typeof VIEW_TYPES)[number];

export const stagesOf = (view: ViewType): readonly ('active' | 'deleted')[] =>
  view === 'ALL' ? ['active', 'deleted'] : [view === 'ACTIVE_ONLY' ? 'active' : 'deleted'];

/** `max_results`: absent and 0 are the usual size, more than the most is refused. */
export function maxResults(
  request: Request,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  const asked = request.whole('max_results');
  if (asked === undefined) return usual;
  const refused = (reason: string) =>
    trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `Invalid value ${asked} for parameter 'max_results' supplied. ${reason}`,
    });
  if (asked <= 0) throw refused('It must be a positive integer');
  if (asked > most) throw refused(`It must be at most ${most}`);
  return asked;
}

/** Page tokens of one search: opaque, and good for the same question alone. */
export class SearchTokens {
  readonly #vault: PlatformCall['jar']['vault'];
  readonly #question: string;

  constructor(call: PlatformCall, what: string, question: readonly unknown[]) {
    this.#vault = call.jar.vault;
    this.#question = JSON.stringify([what, workspaceIn(call).id, question]);
  }

  /** Where the page that a request asks for begins. */
  placeIn(request: Request): Place | undefined {
    const token = request.text('page_token');
    if (!token) return undefined;
    const place = decodeSkipToken<Place>(this.#vault, this.#question, token);
    if (!place)
      throw trackingErrors.INVALID_PARAMETER_VALUE({
        reason: "Invalid value for parameter 'page_token' supplied: it is no token of this search.",
      });
    return place;
  }

  /** `next_page_token` of an answer. */
  next(place: Place | undefined): { readonly next_page_token?: string } {
    return place ? { next_page_token: encodeSkipToken(this.#vault, this.#question, place) } : {};
  }
}
