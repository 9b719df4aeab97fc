import type { FieldRules } from '../engine/fields.ts';
import { LISTING_STATUSES } from './collections.ts';

/** Fields of providers and listings. */

const text = (most: number) => ({ type: 'string', most }) as const;
const needed = (most: number) => ({ type: 'string', required: true, least: 1, most }) as const;
const LINK = text(2000);

export const PROVIDER_FIELDS: FieldRules = {
  name: needed(255),
  business_contact_email: needed(320),
  term_of_service_link: needed(2000),
  privacy_policy_link: needed(2000),
  description: text(65_536),
  company_website_link: LINK,
  support_contact_email: text(320),
  icon_file_id: text(100),
  icon_file_path: { type: 'string', readOnly: true },
  dark_mode_icon_file_id: text(100),
};

export const CATEGORIES = [
  'ADVERTISING_AND_MARKETING',
  'CLIMATE_AND_ENVIRONMENT',
  'COMMERCE',
  'DEMOGRAPHICS',
  'ECONOMICS',
  'EDUCATION',
  'ENERGY',
  'FINANCIAL',
  'GAMING',
  'GEOSPATIAL',
  'HEALTH',
  'LOOKUP_TABLES',
  'MANUFACTURING',
  'MEDIA',
  'OTHER',
  'PUBLIC_SECTOR',
  'RETAIL',
  'SCIENCE_AND_RESEARCH',
  'SECURITY',
  'SPORTS',
  'SUPPLY_CHAIN_AND_LOGISTICS',
  'TRANSPORTATION_AND_LOGISTICS',
  'TRAVEL_AND_TOURISM',
] as const;

export const ASSETS = [
  'ASSET_TYPE_APP',
  'ASSET_TYPE_DATA_TABLE',
  'ASSET_TYPE_GIT_REPO',
  'ASSET_TYPE_MCP',
  'ASSET_TYPE_MEDIA',
  'ASSET_TYPE_MODEL',
  'ASSET_TYPE_NOTEBOOK',
  'ASSET_TYPE_PARTNER_INTEGRATION',
] as const;

const UNITS = ['NONE', 'SECOND', 'MINUTE', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY'] as const;

const frequency = {
  type: 'object',
  members: { interval: { type: 'integer', least: 0 }, unit: { type: 'string', words: UNITS } },
} as const;

export const SUMMARY_FIELDS: FieldRules = {
  name: needed(255),
  listingType: { type: 'string', required: true, words: ['STANDARD', 'PERSONALIZED'] },
  subtitle: text(1000),
  status: { type: 'string', words: LISTING_STATUSES },
  categories: { type: 'array', most: CATEGORIES.length, items: { type: 'string', words: CATEGORIES } },
  share: {
    type: 'object',
    members: { name: needed(255), type: { type: 'string', required: true, words: ['FULL', 'SAMPLE'] } },
  },
  git_repo: { type: 'object', members: { git_repo_url: needed(2000) } },
  provider_id: text(100),
  provider_region: { type: 'object', members: { cloud: text(50), region: text(100) } },
  setting: { type: 'object', members: { visibility: { type: 'string', words: ['PUBLIC', 'PRIVATE'] } } },
  exchange_ids: { type: 'array', most: 1000, items: text(100) },
};

export const DETAIL_FIELDS: FieldRules = {
  description: text(65_536),
  cost: { type: 'string', words: ['FREE', 'PAID'] },
  assets: { type: 'array', most: ASSETS.length, items: { type: 'string', words: ASSETS } },
  license: text(65_536),
  terms_of_service: text(65_536),
  privacy_policy_link: LINK,
  pricing_model: text(1000),
  support_link: LINK,
  documentation_link: LINK,
  geographical_coverage: text(1000),
  data_source: text(1000),
  collection_date_start: { type: 'integer' },
  collection_date_end: { type: 'integer' },
  collection_granularity: frequency,
  update_frequency: frequency,
  size: { type: 'number' },
  tags: { type: 'array', most: 100, items: { type: 'object' } },
  file_ids: { type: 'array', most: 100, items: text(100) },
};

/** Alternative names that older or newer clients send. */
export const OTHER_NAMES: Readonly<Record<string, string>> = { listing_type: 'listingType' };
