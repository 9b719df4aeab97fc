import type { ResourceType } from '../../kernel/arm/index.ts';

/** Types that are only there to be counted: storage accounts and virtual machines are records, without storage or machines behind them. */

export const STORAGE_ACCOUNTS: ResourceType = {
  type: 'Vendor.Storage/storageAccounts',
  apiVersions: ['2024-01-01', '2023-05-01', '2023-01-01', '2022-09-01', '2021-09-01'],
  tracked: true,
};

export const VIRTUAL_MACHINES: ResourceType = {
  type: 'Vendor.Compute/virtualMachines',
  apiVersions: ['2024-07-01', '2024-03-01', '2023-09-01', '2023-03-01', '2022-11-01'],
  tracked: true,
};

export const COUNTED_TYPES: readonly ResourceType[] = [STORAGE_ACCOUNTS, VIRTUAL_MACHINES];
