import { readCached, type Store } from '../../../kernel/store/index.ts';
import { type BillingAccount, billingAccounts } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import type { BillingScope } from './scope.ts';

interface Asked {
  /** As sent. */
  readonly text: string | undefined;
  readonly scope: BillingScope | undefined;
  readonly resellerId: string | undefined;
  readonly caller: { readonly objectId: string; readonly name: string };
  /** The tenant of the caller, and the tenant of the new subscription. */
  readonly fromTenant: string;
  readonly toTenant: string;
}

/** Checks whether the caller may bill a subscription to the scope. If no billing account is seeded, every scope is accepted. */
export async function checkBilling(store: Store, asked: Asked): Promise<void> {
  const { text, scope } = asked;
  if ((await store.count(billingAccounts)) === 0) return;
  if (scope === undefined || text === undefined)
    throw subscriptionErrors.MissingParameter(
      { name: 'properties.billingScope' },
      { target: 'properties.billingScope' },
    );
  const account = (await readCached(store, billingAccounts, scope.account.toLowerCase()))?.value;
  if (!account) throw notFound(text);
  requireCreator(account, asked, text);
  const place = placeOf(account, scope);
  if (!place) throw notFound(text);
  checkCreators(account, place, asked, text);
  if (scope.kind === 'customers') checkReseller(place, asked.resellerId);
  checkTenant(account, asked);
}

interface Place {
  readonly name: string;
  readonly creators?: readonly string[];
  readonly resellers?: readonly { readonly resellerId: string }[];
}

function placeOf(account: BillingAccount, scope: BillingScope): Place | undefined {
  switch (scope.kind) {
    case 'invoiceSections':
      return named(named(account.billingProfiles, scope.profile)?.invoiceSections, scope.section);
    case 'customers':
      return named(account.customers, scope.customer);
    default:
      return named(account.enrollmentAccounts, scope.enrollmentAccount);
  }
}

const named = <T extends { readonly name: string }>(list: readonly T[] = [], name: string): T | undefined =>
  list.find((each) => each.name.toLowerCase() === name.toLowerCase());

/** Checked first: only creators may learn what an account contains. */
function requireCreator(
  { creators }: { readonly creators?: readonly string[] },
  { caller }: Asked,
  text: string,
): void {
  if (!isAmong(creators, caller.objectId))
    throw subscriptionErrors.UserNotAuthorized({ client: caller.name, scope: text });
}

/** The real service reports a missing permission on an invoice section with another error than on other parts. */
function checkCreators(account: BillingAccount, place: Place, asked: Asked, text: string): void {
  const { caller, scope } = asked;
  const profile = scope?.kind === 'invoiceSections' ? named(account.billingProfiles, scope.profile) : undefined;
  requireCreator(profile ?? place, asked, text);
  if (!profile || isAmong(place.creators, caller.objectId)) return;
  throw subscriptionErrors.Forbidden({
    reason: `'${caller.name}' has no permission on the invoice section '${place.name}'.`,
  });
}

/** A missing list includes everybody. */
export const isAmong = (list: readonly string[] | undefined, objectId: string): boolean =>
  list?.some((each) => each.toLowerCase() === objectId.toLowerCase()) ?? true;

function checkReseller({ name, resellers }: Place, resellerId: string | undefined): void {
  if (resellerId === undefined || !resellers || resellers.length === 0) return;
  if (resellers.some((each) => each.resellerId === resellerId)) return;
  throw subscriptionErrors.UnknownReseller(
    { customer: name, reseller: resellerId },
    { target: 'properties.resellerId' },
  );
}

function checkTenant(
  { name, serviceTenants = [], allowTransfers }: BillingAccount,
  { fromTenant, toTenant }: Asked,
): void {
  const isService = serviceTenants.some(({ tenantId }) => tenantId.toLowerCase() === toTenant.toLowerCase());
  if (fromTenant === toTenant || isService || allowTransfers) return;
  throw subscriptionErrors.TransferNotAllowed({ account: name, tenant: toTenant });
}

const notFound = (scope: string): Error =>
  subscriptionErrors.BillingScopeNotFound({ scope }, { target: 'properties.billingScope' });
