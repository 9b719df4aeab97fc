import { DAY_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import type { Workspace } from '../accounts/collections.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { confValue } from '../network/workspace-conf.ts';

/** Workspace settings for tokens. */

/** Default lifetime of a token. */
const USUAL_DAYS = 730;
/** The latest representable date. */
const LATEST = 8.64e15;

/** Tokens are allowed until an administrator turns them off. */
export const areTokensEnabled = async (
  { jar }: Pick<PlatformCall, 'jar'>,
  { id }: Pick<Workspace, 'id'>,
): Promise<boolean> => (await confValue(jar.store, id, 'enableTokensConfig')) !== 'false';

/**
 * Expiry of a token that is created now. Without a lifetime, a caller's own tokens live for two years and tokens on behalf of a service
 * principal never expire; the maximum lifetime of the workspace limits both.
 */
export async function endOf(
  { jar }: Pick<PlatformCall, 'jar'>,
  { id }: Pick<Workspace, 'id'>,
  asked: number | undefined,
  usual: 'two years' | 'for ever',
  now: number,
): Promise<number | undefined> {
  const mostDays = Number((await confValue(jar.store, id, 'maxTokenLifetimeDays')) || 0);
  if (asked === undefined) {
    if (usual === 'for ever') return mostDays === 0 ? undefined : now + mostDays * DAY_MS;
    return now + Math.min(USUAL_DAYS, mostDays || USUAL_DAYS) * DAY_MS;
  }
  if (asked < 1 || now + asked * SECOND_MS > LATEST)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `lifetime_seconds must be a positive number, not ${asked}.` });
  if (mostDays > 0 && asked * SECOND_MS > mostDays * DAY_MS) {
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `lifetime_seconds must be at most ${(mostDays * DAY_MS) / SECOND_MS}: tokens of this workspace live for ${mostDays} days at most (maxTokenLifetimeDays).`,
    });
  }
  return now + asked * SECOND_MS;
}
