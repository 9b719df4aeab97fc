import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';

/** A provider of listings. The key is its id. */
export interface MarketProvider {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  /** The id of a principal. */
  readonly createdBy: string;
  readonly fields: JsonMembers;
}

export const marketProviders = collection<MarketProvider>('platform.market_providers', {
  fields: {
    id: text((it) => it.id),
    account: text((it) => it.accountId),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['account', 'createdAt'], ['id']],
});

export const LISTING_STATUSES = ['DRAFT', 'PENDING', 'PUBLISHED', 'SUSPENDED'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** An offer of a provider. The key is its id. */
export interface Listing {
  readonly id: string;
  readonly accountId: string;
  /** The metastore that contains its share. */
  readonly metastore: string;
  readonly provider: string;
  readonly status: ListingStatus;
  readonly isPrivate: boolean;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
  readonly publishedAt?: number;
  readonly publishedBy?: string;
  /** For a private listing: the exchanges that show it. */
  readonly exchanges: readonly string[];
  readonly summary: JsonMembers;
  readonly detail: JsonMembers;
}

const wordsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

export const listings = collection<Listing>('platform.market_listings', {
  fields: {
    metastore: text((it) => it.metastore),
    provider: text((it) => it.provider),
    status: text((it) => it.status),
    /** Where consumers can find it: everywhere, or in exchanges. Unpublished listings cannot be found. */
    shownIn: set(({ status, isPrivate, exchanges }) =>
      status === 'PUBLISHED' ? (isPrivate ? exchanges : [EVERYBODY]) : [],
    ),
    exchanges: set((it) => it.exchanges),
    categories: set((it) => wordsIn(it.summary.categories)),
    assets: set((it) => wordsIn(it.detail.assets)),
    cost: text(({ detail }) => (detail.cost === 'PAID' ? 'PAID' : 'FREE')),
    name: text(({ summary }) => String(summary.name ?? '').toLowerCase()),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['metastore', 'createdAt'], ['provider'], ['createdAt']],
  search: {
    parts: ['name', 'subtitle', 'description'],
    of: ({ summary, detail }) => ({
      name: String(summary.name ?? ''),
      subtitle: String(summary.subtitle ?? ''),
      description: String(detail.description ?? ''),
    }),
  },
});

export const EVERYBODY = '*';

/** A group of metastores that can see private listings. The key is its id. */
export interface Exchange {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly comment?: string;
  readonly filters: readonly {
    readonly id: string;
    readonly value: string;
    readonly name?: string;
    readonly createdAt: number;
    readonly createdBy: string;
  }[];
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

export const exchanges = collection<Exchange>('platform.market_exchanges', {
  fields: {
    account: text((it) => it.accountId),
    createdAt: number((it) => it.createdAt),
    /** The global ids of its member metastores. */
    members: set((it) => it.filters.map(({ value }) => value)),
  },
  indexes: [['account', 'createdAt']],
});

/** A listing installed in a metastore. The key is its id. */
export interface Installation {
  readonly id: string;
  readonly listing: string;
  readonly listingName: string;
  readonly metastore: string;
  readonly accountId: string;
  readonly catalogName: string;
  /** The id of the catalog, which survives renames; absent if there is none. */
  readonly catalog?: string;
  readonly shareName: string;
  readonly recipientType: string;
  readonly installedAt: number;
  /** The recipient created for it in the metastore of the listing; absent if one existed already. */
  readonly recipient?: string;
  readonly fields: JsonMembers;
}

export const installations = collection<Installation>('platform.market_installations', {
  fields: {
    metastore: text((it) => it.metastore),
    listing: text(({ metastore, listing }) => `${metastore}/${listing}`),
    installedAt: number((it) => it.installedAt),
  },
  indexes: [
    ['metastore', 'installedAt'],
    ['listing', 'installedAt'],
  ],
});

export const REQUEST_STATUSES = ['NEW', 'REQUEST_PENDING', 'FULFILLED', 'DENIED'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** A consumer's request for a listing that is not freely available. The key is its id. */
export interface PersonalizationRequest {
  readonly id: string;
  readonly listing: string;
  readonly listingName: string;
  readonly provider: string;
  /** Account of the provider. */
  readonly accountId: string;
  /** Metastore of the consumer. */
  readonly metastore: string;
  readonly globalMetastore: string;
  readonly status: RequestStatus;
  readonly statusMessage?: string;
  readonly share?: JsonMembers;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly fields: JsonMembers;
}

export const personalizationRequests = collection<PersonalizationRequest>('platform.market_requests', {
  fields: {
    account: text((it) => it.accountId),
    metastore: text((it) => it.metastore),
    listing: text(({ metastore, listing }) => `${metastore}/${listing}`),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['account', 'createdAt'], ['metastore', 'createdAt'], ['listing']],
});

/** An image or notebook of a provider or listing. The key is its id. */
export interface MarketFile {
  readonly id: string;
  readonly accountId: string;
  readonly parentType: string;
  readonly parent: string;
  readonly createdAt: number;
  readonly fields: JsonMembers;
  /** Absent until uploaded. */
  readonly blob?: string;
  readonly size?: number;
}

export const marketFiles = collection<MarketFile>('platform.market_files', {
  fields: {
    account: text((it) => it.accountId),
    parent: text(({ accountId, parentType, parent }) => `${accountId}/${parentType}/${parent}`),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['parent', 'createdAt']],
});

/** The version of the dashboard about the usage of an account's listings. The key is the account. */
export interface MarketDashboard {
  readonly id: string;
  readonly version: number;
}

export const marketDashboards = collection<MarketDashboard>('platform.market_dashboards');

export const MARKET_COLLECTIONS = [
  marketProviders,
  listings,
  exchanges,
  installations,
  personalizationRequests,
  marketFiles,
  marketDashboards,
] as const;
