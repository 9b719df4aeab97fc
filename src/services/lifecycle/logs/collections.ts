import { collection } from '../../../kernel/store/index.ts';

/** Whose logs are dropped: by `app` where it is all of them, by `app/device` where it is one. */
export const blockedLogs = collection<{ readonly blockedAt: string }>('lifecycle.blocked_logs', { cached: true });

/**
 * Which logs of a device were here, newest last, so that those that are sent again count once. An SDK that got no answer sends the same
 * batch again, and holds back what comes after it; so the last thousand of a device, and all of the last batch, are enough, and they are one document that only that
 * device writes. By `app/device`.
 */
export const logReceipts = collection<{ readonly ids: readonly string[] }>('lifecycle.log_receipts', { wide: true });

/** What secrets of apps and ids of devices look like. */
export const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const deviceKey = (appId: string, installId: string): string => `${appId}/${installId}`;

export const LOG_COLLECTIONS = [blockedLogs, logReceipts];
