import type { Limit, QuotaLimit } from '../../../kernel/limits/index.ts';

export const PARTNER_NAMESPACES: QuotaLimit = {
  kind: 'quota',
  name: 'events.partner-namespaces',
  title: 'Partner namespaces in a region',
  scope: ['subscription', 'location'],
  unit: 'partner namespaces',
  limit: 100,
};

export const CHANNELS: QuotaLimit = {
  kind: 'quota',
  name: 'events.channels',
  title: 'Channels and event channels of a partner namespace',
  scope: ['namespace'],
  unit: 'channels',
  limit: 1000,
};

export const PARTNER_LIMITS: readonly Limit[] = [PARTNER_NAMESPACES, CHANNELS];
