import { DAY_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import type { Workspace } from '../accounts/collections.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { confValue } from '../network/workspace-conf.ts';

/** What the settings of a workspace say of tokens. */

/** Of a token whose creator gives no lifetime. */
const USUAL_DAYS = 730;
/** Later than this no date can be written. */
const LATEST = 8.64e15;

/** Tokens are allowed until an administrator turns them off. */
export const areTokensEnabled = async (
  { jar }: Pick<PlatformCall, 'jar'>,
  { id }: Pick<Workspace, 'id'>,
): Promise<boolean> => (await confValue(jar.store, id, 'enableTokensConfig')) !== 'false';

/**
 * When a token that is made now ends. Without a lifetime, own tokens live for two years and those on behalf of a service principal for ever; the longest lifetime of
 * the workspace bounds both.
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
