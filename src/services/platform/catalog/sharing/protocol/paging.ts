import { decodeSkipToken, encodeSkipToken } from '../../../../../kernel/http/index.ts';
import type { PlatformCall } from '../../../jar.ts';
import { sharingErrors } from './errors.ts';

/** Maximum and default size of a page. */
const MOST = 500;

export function maxResultsOf({ query }: Pick<PlatformCall, 'query'>): number {
  const { maxResults: sent } = query;
  if (sent === undefined || sent === '') return MOST;
  const asked = typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : Number.NaN;
  if (asked <= MOST) return asked;
  throw sharingErrors.INVALID_PARAMETER_VALUE({ reason: `maxResults must be a whole number from 0 to ${MOST}.` });
}

/** The item after which a page starts. The token is bound to the path, so that a token of another share or schema is invalid. */
export function afterOf({ query, jar, path }: PlatformCall): string | undefined {
  const { pageToken: token } = query;
  if (token === undefined || token === '') return undefined;
  const place =
    typeof token === 'string' ? decodeSkipToken<{ after: string }>(jar.vault, path.toLowerCase(), token) : undefined;
  if (!place) throw sharingErrors.INVALID_PARAMETER_VALUE({ reason: 'pageToken is not a token of this list.' });
  return place.after;
}

export interface Listed {
  /** Key for ordering and pagination. */
  readonly key: string;
  readonly view: object;
}

/** A page of a list. `items` has at least one item more than fits if there is a next page. */
export function pageOf(
  { jar, path }: PlatformCall,
  items: readonly Listed[],
  size: number,
  after: string | undefined,
): object {
  const shown = items.slice(0, size);
  const last = shown.at(-1)?.key ?? after ?? '';
  const token = items.length > size ? encodeSkipToken(jar.vault, path.toLowerCase(), { after: last }) : undefined;
  return { items: shown.map(({ view }) => view), ...(token !== undefined && { nextPageToken: token }) };
}

/** Items after a key. */
export const following = (items: readonly Listed[], after: string | undefined): readonly Listed[] =>
  after === undefined ? items : items.filter(({ key }) => key > after);
