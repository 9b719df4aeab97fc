import type { QuotaLimit } from '../../../src/kernel/limits/index.ts';

export const BELLS_QUOTA: QuotaLimit = {
  kind: 'quota',
  name: 'bells.bells',
  title: 'Bells in a subscription',
  scope: ['subscription'],
  unit: 'bells',
  limit: 50,
};
