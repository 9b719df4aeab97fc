import type { ResourceHead } from '../../../src/kernel/arm/index.ts';

export const NAMESPACE = 'Vendor.Bells';

/** `/subscriptions/…/resourceGroups/…/providers/Vendor.Bells/bells/{name}` */
export const BELL: ResourceHead = {
  type: `${NAMESPACE}/bells`,
  apiVersions: ['2026-01-01', '2025-06-01-preview'],
  tracked: true,
  operations: 'Bells',
};
