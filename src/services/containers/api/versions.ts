import type { OperationHeaderOptions } from '../../../kernel/arm/index.ts';

export const NAMESPACE = 'Vendor.ContainerInstance';
export const CONTAINER_GROUP_TYPE = `${NAMESPACE}/containerGroups` as const;

/** Newest first; those before the newest have the same shape, with fewer fields. */
export const API_VERSIONS = ['2023-05-01', '2022-09-01', '2021-10-01', '2021-09-01'] as const;

/** The real service has its operations polled with an old version, and leaves the pace to the client. */
export const OPERATION_POLLING: OperationHeaderOptions = { apiVersion: '2018-06-01', retryAfter: false };
