import type { QuotaLimit } from '../../../kernel/limits/index.ts';

const perRegion = { kind: 'quota', scope: ['subscription', 'location'] } as const;

export const TOPICS: QuotaLimit = {
  ...perRegion,
  name: 'events.topics',
  title: 'Topics in a region',
  unit: 'topics',
  limit: 100,
};

export const DOMAINS: QuotaLimit = {
  ...perRegion,
  name: 'events.domains',
  title: 'Domains in a region',
  unit: 'domains',
  limit: 100,
};

export const DOMAIN_TOPICS: QuotaLimit = {
  kind: 'quota',
  name: 'events.domain-topics',
  title: 'Topics in a domain',
  scope: ['domain'],
  unit: 'topics',
  limit: 100_000,
};
