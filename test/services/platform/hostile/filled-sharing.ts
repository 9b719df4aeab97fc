/** What `filled-workspace.ts` fills sharing and the marketplace with. Refusals repeat names, so it is the rest that must not be seen. */

const UC = '/api/2.1/unity-catalog';
const MARKET = '/marketplace-provider';
const SHARE = 'private_share';
const RECIPIENT = 'private_recipient';
const FEDERATED = 'private_federated';
const POLICY = 'private-policy';
const PROVIDER = 'private_provider';
const CATALOG = 'private_shared';

const OIDC = { issuer: 'https://ours-issuer.example', subject_claim: 'sub', subject: 'ours-subject' };

export type Post = (path: string, body: object) => Promise<Record<string, unknown>>;

const COMPANY = {
  name: 'theirs',
  business_contact_email: 'a@vendor.example',
  term_of_service_link: 'https://vendor.example/terms',
  privacy_policy_link: 'https://vendor.example/privacy',
};

export interface MarketIds {
  readonly marketProvider: string;
  readonly listing: string;
  readonly exchange: string;
}

export async function fillSharing(post: Post): Promise<MarketIds> {
  await post(`${UC}/catalogs`, { name: CATALOG, comment: 'ours-catalog' });
  await post(`${UC}/shares`, { name: SHARE, comment: 'ours-share' });
  await post(`${UC}/recipients`, { name: RECIPIENT, comment: 'ours-recipient', authentication_type: 'TOKEN' });
  await post(`${UC}/recipients`, { name: FEDERATED, authentication_type: 'OIDC_FEDERATION' });
  await post(`/data-sharing/recipients/${FEDERATED}/federation-policies`, {
    name: POLICY,
    comment: 'ours-policy',
    oidc_policy: OIDC,
  });
  await post(`${UC}/providers`, { name: PROVIDER, comment: 'ours-provider', authentication_type: 'DATABRICKS' });
  const { id: provider } = await post(`${MARKET}/provider`, { provider: { ...COMPANY, name: 'ours-company' } });
  const summary = { name: 'ours-listing', listingType: 'STANDARD', provider_id: provider };
  const { listing_id: listing } = await post(`${MARKET}/listing`, { listing: { summary } });
  const { exchange_id: exchange } = await post('/marketplace-exchange/exchanges', {
    exchange: { name: 'ours-exchange' },
  });
  return { marketProvider: String(provider), listing: String(listing), exchange: String(exchange) };
}

const OURS =
  /^\/(?:marketplace|unity-catalog\/(?:catalogs|shares|recipients|providers|permissions|effective|privilege|resource-quotas|bindings|workspace-bindings|metastores|metastore_summary)|data-sharing)/;

export const isOfSharing = (path: string): boolean => OURS.test(path);

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\/shares/, SHARE],
  [/\/recipients/, RECIPIENT],
  [/\/providers/, PROVIDER],
];

/** What a parameter of a path stands for. */
export function sharingParameter(path: string, name: string, ids: Readonly<Record<string, string>>): string {
  if (path.startsWith('/marketplace')) {
    if (name === 'listing_id' || path.includes('/listings')) return ids.listing ?? '';
    return (path.includes('exchange') ? ids.exchange : ids.marketProvider) ?? '';
  }
  if (path.includes('federation-policies')) return name === 'name' ? POLICY : FEDERATED;
  const others: Readonly<Record<string, string>> = {
    securable_type: 'catalog',
    parent_securable_type: 'catalog',
    parent_full_name: CATALOG,
    quota_name: 'schema-quota',
    metastore_id: ids.metastore ?? '',
    provider_name: PROVIDER,
    share_name: SHARE,
  };
  return others[name] ?? NAMES.find(([pattern]) => pattern.test(path))?.[1] ?? CATALOG;
}

/** A body that would change it, or make something beside it. */
export function sharingBody(path: string, ids: Readonly<Record<string, string>>): Record<string, unknown> {
  if (path.startsWith('/marketplace')) {
    return {
      provider: COMPANY,
      listing: { summary: { name: 'theirs', listingType: 'STANDARD', provider_id: ids.marketProvider } },
      exchange: { name: 'theirs' },
      filter: { exchange_id: ids.exchange, filter_type: 'GLOBAL_METASTORE_ID', filter_value: 'azure:x:y' },
      exchange_id: ids.exchange,
      listing_id: ids.listing,
      file_parent: { file_parent_type: 'PROVIDER', parent_id: ids.marketProvider },
      'file_parent.file_parent_type': 'PROVIDER',
      'file_parent.parent_id': ids.marketProvider,
      marketplace_file_type: 'SCREENSHOT',
      mime_type: 'image/png',
      query: 'listing',
      ids: ids.listing,
    };
  }
  return {
    name: path.endsWith('s') ? 'theirs' : undefined,
    comment: 'theirs',
    authentication_type: 'DATABRICKS',
    oidc_policy: { issuer: 'https://theirs.example', subject_claim: 'sub', subject: 'theirs' },
    existing_token_expire_in_seconds: 0,
    data_recipient_global_metastore_id: 'azure:x:y',
    metastore_info: { name: 'theirs-too' },
    changes: [],
    add: [],
    assign_workspaces: [],
  };
}
