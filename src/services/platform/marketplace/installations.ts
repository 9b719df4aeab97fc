import { knownOrigin } from '../../../kernel/auth/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { eq, type Reader, type Tx } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { CATALOGS } from '../catalog/containers/catalogs.ts';
import { requirePrivilege } from '../catalog/core/access.ts';
import { byId } from '../catalog/core/chain.ts';
import { metastoreIn, metastoreNow } from '../catalog/core/metastore.ts';
import { createBelow } from '../catalog/core/operations.ts';
import { removeSecurable } from '../catalog/core/removal.ts';
import { keyOf, type Securable, securables } from '../catalog/core/securables.ts';
import { partnerKey, sharingPartners } from '../catalog/sharing/collections.ts';
import { globalIdOf } from '../catalog/sharing/global-id.ts';
import type { SharedFrom } from '../catalog/sharing/mirrors/shared-catalog.ts';
import { putProvider } from '../catalog/sharing/partners.ts';
import { ACTIVATION_PAGE, RECIPIENTS } from '../catalog/sharing/recipients/kind.ts';
import { isLive, newToken, storeTokens, tokensOf } from '../catalog/sharing/recipients/tokens.ts';
import { membersOf, textOf } from '../engine/json.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { type Installation, installations, type Listing, personalizationRequests } from './collections.ts';
import { findVisible } from './consumer-listings.ts';
import { grantShare, metastoreRecipient, openRecipient } from './recipients.ts';
import { listAnswer, notFound, ofConsumers } from './wire.ts';

/** Installed listings: the share becomes a catalog of the metastore, or is read by the open protocol. */

const OPEN = 'DELTA_SHARING_RECIPIENT_TYPE_OPEN';
const DATABRICKS = 'DELTA_SHARING_RECIPIENT_TYPE_DATABRICKS';

async function installationView(call: PlatformCall, installation: Installation): Promise<JsonMembers> {
  const { id, listing, listingName, catalogName, shareName, recipientType, installedAt, fields } = installation;
  return omitAbsent({
    ...fields,
    id,
    listing_id: listing,
    listing_name: listingName,
    catalog_name: catalogName === '' ? undefined : catalogName,
    share_name: shareName,
    status: 'INSTALLED',
    installed_on: installedAt,
    recipient_type: recipientType,
    ...(recipientType === OPEN && (await tokensView(call, installation))),
  });
}

async function tokensView(call: PlatformCall, { recipient: id }: Installation): Promise<JsonMembers> {
  const recipient = id === undefined ? undefined : await byId(call.jar.store, id);
  const now = call.jar.clock.now();
  const live = recipient ? tokensOf(recipient).filter((token) => isLive(token, now)) : [];
  return {
    tokens: live.map((token) => ({
      id: token.id,
      created_at: token.createdAt,
      // A link can be used once, and is a secret: people who may only read do not get it.
      ...(token.hash === undefined &&
        !call.caller?.readOnly && { activation_url: `${knownOrigin(call)}${ACTIVATION_PAGE}?${token.code}` }),
      ...(token.expiresAt !== undefined && { expiration_time: token.expiresAt }),
    })),
  };
}

/**
 * A free standard listing can be installed by every consumer, other listings only after a fulfilled request, with the share that the
 * provider named.
 */
async function shareFor(tx: Tx, listing: Listing, consumer: Securable): Promise<string> {
  const own = textOf(membersOf(listing.summary.share).name);
  const isFree = listing.detail.cost !== 'PAID' && listing.summary.listingType === 'STANDARD';
  if (isFree && own !== undefined) return own;
  const filter = eq('listing', `${consumer.id}/${listing.id}`);
  const { items } = await tx.query(personalizationRequests, { filter, limit: 100 });
  const met = items.find(({ value }) => value.status === 'FULFILLED')?.value;
  const given = met && (textOf(membersOf(met.share).name) ?? own);
  if (given !== undefined) return given;
  throw errors.PERMISSION_DENIED({
    reason: isFree
      ? `The listing '${String(listing.summary.name)}' has no share to install.`
      : `The listing '${String(listing.summary.name)}' is only available on request: no request of this metastore was fulfilled.`,
  });
}

async function install(call: PlatformCall, id: string): Promise<Installation> {
  const metastore = await metastoreIn(call);
  requirePrivilege(call, { target: metastore, above: [] }, 'USE_MARKETPLACE_ASSETS');
  const listing = await findVisible(call, id);
  const sent = new Sent(call.body);
  const terms = sent.member('accepted_consumer_terms');
  if (!terms) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'accepted_consumer_terms' });
  terms.need('version');
  const recipientType = sent.word('recipient_type', [DATABRICKS, OPEN]) ?? DATABRICKS;
  const catalogName = recipientType === DATABRICKS ? sent.need('catalog_name').toLowerCase() : '';
  const { jar } = call;
  return jar.store.transact(async (tx) => {
    const consumer = await metastoreNow(tx, metastore);
    const shareName = await shareFor(tx, listing, consumer);
    const wanted = sent.text('share_name');
    if (wanted !== undefined && wanted !== '' && wanted.toLowerCase() !== shareName.toLowerCase())
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The share of the listing is '${shareName}', not '${wanted.slice(0, 255)}'.`,
      });
    const own = { id: uuid(), shareName, recipientType, catalogName };
    const made =
      recipientType === OPEN
        ? { recipient: await openRecipient(tx, call, listing, `marketplace-${own.id}`), isNew: true }
        : await metastoreRecipient(tx, call, listing, consumer);
    const share = await grantShare(tx, listing, shareName, made.recipient);
    const from = { ...own, share: share.id, recipient: made.recipient.id };
    const catalog = recipientType === DATABRICKS ? await putCatalog(tx, call, consumer, listing, from) : undefined;
    const installation: Installation = {
      ...own,
      ...(catalog && { catalog: catalog.id }),
      listing: listing.id,
      listingName: String(listing.summary.name),
      metastore: consumer.id,
      accountId: accountIn(call).id,
      installedAt: jar.clock.now(),
      ...(made.isNew && { recipient: made.recipient.id }),
      fields: {},
    };
    await tx.put(installations, installation.id, installation);
    await record(tx, call, 'install', installation);
    return installation;
  });
}

/** Creates a catalog of the share, through the provider that represents the listing's metastore. */
async function putCatalog(
  tx: Tx,
  call: PlatformCall,
  consumer: Securable,
  listing: Listing,
  {
    catalogName,
    shareName,
    ...from
  }: Pick<Installation, 'catalogName' | 'shareName'> & Pick<SharedFrom, 'share' | 'recipient'>,
): Promise<Securable> {
  const source = await byId(tx, listing.metastore);
  if (source) await putProvider(tx, call, source, consumer);
  const key = source && partnerKey({ metastore: consumer.id, kind: 'provider', other: globalIdOf(source) });
  const partner = key === undefined ? undefined : (await tx.get(sharingPartners, key, 'none'))?.value;
  const provider = partner && (await byId(tx, partner.securable));
  const sent = {
    provider_name: provider?.name ?? 'self',
    share_name: shareName,
    comment: `Installed from the listing ${String(listing.summary.name)}`,
  };
  const shared = { provider: provider?.id ?? '', share: from.share, recipient: from.recipient };
  const made = { name: catalogName, sent, extra: { shared } };
  return (await createBelow(tx, call, CATALOGS, { target: consumer, above: [] }, made)).target;
}

const record = (tx: Tx, { jar }: PlatformCall, kind: string, { id, metastore, listing }: Installation) =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/metastores/${metastore}/installations/${id}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { id, listing },
  });

async function findInstallation(
  call: PlatformCall,
  reader: Reader,
  listing: string,
  id: string,
): Promise<Installation> {
  const metastore = await metastoreOf(call);
  const found = (await reader.get(installations, id))?.value;
  if (found?.metastore === metastore && found.listing === listing) return found;
  throw notFound('Installation', id);
}

/** Resolved before a transaction starts. */
const metastoreOf = async (call: PlatformCall): Promise<string> => (await metastoreIn(call)).id;

/** Changes only the token, if `rotate_token` requests a new one. */
async function change(call: PlatformCall, listing: string, id: string): Promise<Installation> {
  const found = await findInstallation(call, call.jar.store, listing, id);
  requirePrivilege(call, { target: await metastoreIn(call), above: [] }, 'USE_MARKETPLACE_ASSETS');
  const { recipient: recipientId } = found;
  if (new Sent(call.body).flag('rotate_token') !== true || recipientId === undefined || found.recipientType !== OPEN)
    return found;
  await call.jar.store.transact(async (tx) => {
    const known = await byId(tx, recipientId);
    const recipient = known && (await tx.get(securables, keyOf(known)))?.value;
    if (!recipient) throw notFound('Installation', id);
    const token = newToken({ createdBy: callerIdentity(call).principal.id }, call.jar.clock.now(), undefined);
    await storeTokens(tx, recipient.id, tokensOf(recipient), [token]);
    await tx.put(securables, keyOf(recipient), {
      ...recipient,
      extra: { ...recipient.extra, tokens: [token] as never },
    });
  });
  return found;
}

/** Removes the catalog, and the recipient that was created for it. */
async function uninstall(call: PlatformCall, listing: string, id: string): Promise<void> {
  const found = await findInstallation(call, call.jar.store, listing, id);
  const metastore = await metastoreIn(call);
  requirePrivilege(call, { target: metastore, above: [] }, 'USE_MARKETPLACE_ASSETS');
  await call.jar.store.transact(async (tx) => {
    if (!(await tx.delete(installations, id))) throw notFound('Installation', id);
    const known = found.catalog === undefined ? undefined : await byId(tx, found.catalog);
    const catalog = known && (await tx.get(securables, keyOf(known)))?.value;
    if (catalog) await removeSecurable(tx, call.jar, CATALOGS, catalog);
    const recipient = found.recipientType === OPEN && found.recipient ? await byId(tx, found.recipient) : undefined;
    if (recipient) await removeSecurable(tx, call.jar, RECIPIENTS, recipient);
    await record(tx, call, 'uninstall', found);
  });
}

const ofListing = '/listings/{listing_id}/installations';

export const INSTALLATION_OPERATIONS: readonly Operation[] = [
  ofConsumers('/installations', {
    method: 'GET',
    operation: 'consumerInstallations_list',
    summary: 'Marketplace: list the installations of the metastore',
    code: routeCode([], {
      handle: async (call) =>
        listAnswer(call, {
          collection: installations,
          filter: eq('metastore', await metastoreOf(call)),
          order: 'installedAt',
          array: 'installations',
          view: (installation) => installationView(call, installation),
        }),
    }),
  }),
  ofConsumers(ofListing, {
    method: 'GET',
    operation: 'consumerInstallations_listOfListing',
    summary: 'Marketplace: installations of a listing',
    code: routeCode(['listing_id'], {
      handle: async (call) =>
        listAnswer(call, {
          collection: installations,
          filter: eq('listing', `${await metastoreOf(call)}/${call.params.listing_id}`),
          order: 'installedAt',
          array: 'installations',
          view: (installation) => installationView(call, installation),
        }),
    }),
  }),
  ofConsumers(ofListing, {
    method: 'POST',
    operation: 'consumerInstallations_create',
    summary: 'Marketplace: install a listing',
    code: routeCode(['listing_id'], {
      handle: async (call) =>
        ok({ installation: await installationView(call, await install(call, call.params.listing_id)) }),
    }),
  }),
  ofConsumers(`${ofListing}/{installation_id}`, {
    method: 'PUT',
    operation: 'consumerInstallations_update',
    summary: 'Marketplace: change an installation',
    code: routeCode(['listing_id', 'installation_id'], {
      async handle(call) {
        const { listing_id: listing, installation_id: id } = call.params;
        return ok({ installation: await installationView(call, await change(call, listing, id)) });
      },
    }),
  }),
  ofConsumers(`${ofListing}/{installation_id}`, {
    method: 'DELETE',
    operation: 'consumerInstallations_delete',
    summary: 'Marketplace: uninstall a listing',
    code: routeCode(['listing_id', 'installation_id'], {
      async handle(call) {
        await uninstall(call, call.params.listing_id, call.params.installation_id);
        return ok({});
      },
    }),
  }),
];
