import { parseInstant } from '../../../kernel/odata/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import { invalid } from './read-body.ts';
import type { Subscription } from './types.ts';

/** A shorter lifetime is raised to this. */
const SHORTEST_MS = 45 * MINUTE_MS;
/** Under seven days; one day if notifications carry resource data. */
const LONGEST_MINUTES = 10_080;
const LONGEST_MINUTES_WITH_DATA = 1440;

/** The expiry of a subscription, from the requested one. */
export function readExpiry(
  written: string,
  { item, hasResourceData }: { readonly item: Subscription['item']; readonly hasResourceData: boolean },
  now: number,
  operation: 'Create' | 'Update',
): number {
  const asked = parseInstant(written);
  if (asked === undefined)
    throw invalid('expirationDateTime', `'${written.slice(0, 50)}' is not a time such as 2026-11-20T18:23:45Z`);
  if (asked <= now) throw invalid('expirationDateTime', `'${written.slice(0, 50)}' is over`);
  const minutes = hasResourceData ? LONGEST_MINUTES_WITH_DATA : LONGEST_MINUTES;
  if (asked <= now + minutes * MINUTE_MS) return Math.max(asked, now + SHORTEST_MS);
  const reason = `Subscription expiration can only be ${minutes} minutes in the future for ${item}.`;
  throw errors.ExtensionError({ operation, reason }, { target: 'expirationDateTime' });
}
