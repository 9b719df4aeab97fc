import { decodeSkipToken, encodeSkipToken } from '../../../kernel/http/index.ts';
import { HOUR_MS } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { filesErrors } from './errors.ts';

/** Links that need no credential: the permitted action and the expiry are signed into the link. */

const USUAL_MS = HOUR_MS;
export const LONGEST_MS = 24 * HOUR_MS;

export type Linked =
  | { readonly does: 'download'; readonly volume: string; readonly node: string }
  | { readonly does: 'part'; readonly upload: string; readonly part: number }
  | { readonly does: 'resume'; readonly upload: string }
  | { readonly does: 'abort'; readonly upload: string };

type Link = Linked & { readonly until: number };

const LIST = 'links to files';
export const LINK_PATH = '/fs/presigned';

export const linkTo = ({ jar, origin }: PlatformCall, linked: Linked, until: number): string =>
  `${origin}/api/2.0${LINK_PATH}/${encodeSkipToken(jar.vault, LIST, { ...linked, until })}`;

/** The action that a link permits. Throws if the link is invalid or has expired. */
export function readLink<Does extends Linked['does']>(
  { jar, params }: PlatformCall,
  ...does: readonly Does[]
): Extract<Linked, { readonly does: Does }> {
  const link = decodeSkipToken<Link>(jar.vault, LIST, params.link ?? '');
  if (!link || link.until <= jar.clock.now() || !does.some((each) => each === link.does))
    throw filesErrors.PERMISSION_DENIED({});
  // The signature guarantees that this jar issued the link.
  return link as Link & Extract<Linked, { readonly does: Does }>;
}

/** Expiry of links, from the `expire_time` of a request. */
export function untilOf({ jar }: PlatformCall, sent: unknown): number {
  const now = jar.clock.now();
  if (sent === undefined || sent === null || sent === '') return now + USUAL_MS;
  const until = typeof sent === 'string' && sent.length < 100 ? Date.parse(sent) : Number.NaN;
  if (Number.isNaN(until))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: "The field 'expire_time' must be a time, such as 2026-01-31T12:00:00Z.",
    });
  if (until <= now) throw errors.INVALID_PARAMETER_VALUE({ reason: "The field 'expire_time' must be in the future." });
  return Math.min(until, now + LONGEST_MS);
}
