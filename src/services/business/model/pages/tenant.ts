/** Pages of every API, standard or custom: the companies of the tenant, and its subscriptions. */
import type { Page, PageProperty } from '../types.ts';
import { ALL_VERBS, property, READ_VERBS } from './notation.ts';

const SYSTEM_PROPERTIES = ['systemCreatedAt', 'systemCreatedBy', 'systemModifiedAt', 'systemModifiedBy'];

const properties = (...names: readonly string[]): readonly PageProperty[] => names.map((name) => property(name));

/** `system`: shows who created and changed a record and when, as in all APIs but v1.0. */
interface Variant {
  readonly system: boolean;
}

/** A company has a navigation to each set of a company. */
export const companies = (inCompany: readonly Page[], { system }: Variant): Page => ({
  set: 'companies',
  entity: 'company',
  table: 'company',
  verbs: READ_VERBS,
  properties: system
    ? properties('id', 'systemVersion', 'timestamp', 'name', 'displayName', 'businessProfileId', ...SYSTEM_PROPERTIES)
    : properties('id', 'systemVersion', 'name', 'displayName', 'businessProfileId'),
  navigations: inCompany.map(({ set }) => ({ name: set, set, many: true, on: {} })),
  actions: [],
});

export const subscriptions = ({ system }: Variant): Page => ({
  set: 'subscriptions',
  entity: 'subscription',
  table: 'subscription',
  verbs: ALL_VERBS,
  properties: [
    ...properties('subscriptionId', 'notificationUrl', 'resource'),
    ...(system ? properties('timestamp') : []),
    ...properties('userId', 'lastModifiedDateTime', 'clientState', 'expirationDateTime'),
    ...(system ? properties(...SYSTEM_PROPERTIES) : []),
  ],
  keyed: (subscriptionId) => ({ subscriptionId }),
  navigations: [],
  actions: [],
});

/** All pages of an API: those of the tenant, then those of each company. */
export const withTenantPages = (inCompany: readonly Page[], variant: Variant): readonly Page[] => [
  companies(inCompany, variant),
  subscriptions(variant),
  ...inCompany,
];
