import { collection } from '../../../kernel/store/index.ts';

/** Logs to drop: keyed by `app` for all logs of an app, by `app/device` for one device. */
export const blockedLogs = collection<{ readonly blockedAt: string }>('lifecycle.blocked_logs', { cached: true });

/**
 * The logs received from a device, newest last, so that logs sent again are counted once. An SDK without a response sends the same batch
 * again and holds back later logs, so the last thousand logs of a device, and all of its last batch, are enough. They are one document,
 * which only that device writes. Keyed by `app/device`.
 */
export const logReceipts = collection<{ readonly ids: readonly string[] }>('lifecycle.log_receipts', { wide: true });

/** The form of app secrets and device ids. */
export const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const deviceKey = (appId: string, installId: string): string => `${appId}/${installId}`;

export const LOG_COLLECTIONS = [blockedLogs, logReceipts];
