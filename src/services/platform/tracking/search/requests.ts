import { decodeSkipToken, encodeSkipToken } from '../../../../kernel/http/index.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { trackingErrors } from '../errors.ts';
import type { Request } from '../request.ts';
import type { Place } from './sort.ts';

/** Page tokens of one search: opaque, and valid only for the same query. */
export class SearchTokens {
  readonly #vault: PlatformCall['jar']['vault'];
  readonly #question: string;

  constructor(call: PlatformCall, what: string, question: readonly unknown[]) {
    this.#vault = call.jar.vault;
    this.#question = JSON.stringify([what, workspaceIn(call).id, question]);
  }

  /** The position at which the requested page starts. */
  placeIn(request: Request): Place | undefined {
    const token = request.text('page_token');
    if (!token) return undefined;
    const place = decodeSkipToken<Place>(this.#vault, this.#question, token);
    if (!place) throw trackingErrors.INVALID_PARAMETER_VALUE__PageToken();
    return place;
  }

  /** `next_page_token` of a response. */
  next(place: Place | undefined): { readonly next_page_token?: string } {
    return place ? { next_page_token: encodeSkipToken(this.#vault, this.#question, place) } : {};
  }
}
