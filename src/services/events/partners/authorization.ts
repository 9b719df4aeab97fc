import { groupPath, type Resource, resources } from '../../../kernel/arm/index.ts';
import type { Json, Tx } from '../../../kernel/store/index.ts';
import { readTime } from '../forms/times.ts';
import { invalid } from '../topics/body.ts';
import { checkFuture, type PartnerBody } from './body.ts';
import type { ChannelTarget } from './collections.ts';
import { partnerErrors } from './errors.ts';
import { CONFIGURATION } from './kinds.ts';

/**
 * Partners that may create resources in a group, and until when. Types rather than interfaces, so that they count as plain JSON for the
 * store.
 */

export type AuthorizedPartner = {
  readonly partnerRegistrationImmutableId: string | null;
  readonly partnerName: string | null;
  readonly authorizationExpirationTimeInUtc: string;
};

export type Authorization = {
  readonly defaultMaximumExpirationTimeInDays: number;
  readonly authorizedPartnersList: readonly AuthorizedPartner[];
};

const DEFAULT_DAYS = 7;
const DAY = 24 * 3_600_000;

/** The cast is safe: only `configuration.ts` writes it, always whole. */
export const authorizationIn = ({ properties }: Pick<Resource, 'properties'>): Authorization =>
  properties.partnerAuthorization as Authorization;

export const daysOr = (days: number | undefined): number => days ?? DEFAULT_DAYS;

/** A partner as it was sent, with the time at which its authorization ends. */
export function authorizedPartner(sent: PartnerBody, at: string, days: number, now: number): AuthorizedPartner {
  const { partnerRegistrationImmutableId: id, partnerName: name, authorizationExpirationTimeInUtc: until } = sent;
  const path = (member: string): string => (at === '' ? member : `${at}.${member}`);
  if (!id && !name)
    throw invalid(
      path('partnerRegistrationImmutableId'),
      "it is missing, and so is 'partnerName'; one of them is required",
    );
  const latest = now + days * DAY;
  if (until !== undefined) {
    const target = path('authorizationExpirationTimeInUtc');
    checkFuture(target, until, now);
    if (readTime(until) > latest) throw invalid(target, `it is more than ${days} days ahead, which is the maximum`);
  }
  return {
    partnerRegistrationImmutableId: id || null,
    partnerName: name || null,
    authorizationExpirationTimeInUtc: until ?? new Date(latest).toISOString(),
  };
}

const same = (one: string | null, other: Json | undefined): boolean =>
  one !== null && typeof other === 'string' && one.toLowerCase() === other.toLowerCase();

/** True if two authorizations are for the same partner. */
export const isSamePartner = (
  one: AuthorizedPartner,
  other: Omit<AuthorizedPartner, 'authorizationExpirationTimeInUtc'>,
): boolean =>
  same(one.partnerRegistrationImmutableId, other.partnerRegistrationImmutableId) ||
  same(one.partnerName, other.partnerName);

/** Throws unless the customer has authorized the partner for the target's resource group. */
export async function requireAuthorization(
  tx: Tx,
  registration: Resource,
  { subscriptionId, resourceGroup }: ChannelTarget,
  now: number,
): Promise<void> {
  const key = `${groupPath(subscriptionId, resourceGroup)}/providers/${CONFIGURATION.type}/default`.toLowerCase();
  const configuration = (await tx.get(resources, key, 'share'))?.value;
  const { partnerRegistrationImmutableId: id, partnerName } = registration.properties;
  const isAuthorized =
    configuration !== undefined &&
    authorizationIn(configuration).authorizedPartnersList.some(
      (each) =>
        (same(each.partnerRegistrationImmutableId, id) ||
          (each.partnerRegistrationImmutableId === null &&
            (same(each.partnerName, partnerName) || same(each.partnerName, registration.name)))) &&
        readTime(each.authorizationExpirationTimeInUtc) > now,
    );
  if (isAuthorized) return;
  throw partnerErrors.PartnerNotAuthorized({
    partner: registration.name,
    group: resourceGroup,
    subscription: subscriptionId,
  });
}
