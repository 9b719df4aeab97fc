import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { Device } from '../logs/types.ts';

/**
 * Crashes and handled errors reported by apps. Times are ISO texts, as everywhere in the service. All keys begin with the app id, so that
 * an app's data can be purged by prefix.
 */

export type ErrorKind = 'unhandledError' | 'handledError';

export const GROUP_STATES = ['open', 'closed', 'ignored'] as const;
export type GroupState = (typeof GROUP_STATES)[number];

/** One line of a stack trace as sent by the app, with readable names if symbols are available. */
export interface Frame {
  readonly className?: string;
  readonly methodName?: string;
  readonly fileName?: string;
  readonly lineNumber?: number;
  readonly address?: string;
  /** The source line as text, if the app sent nothing better. */
  readonly code?: string;
  /** The library that contains the code. */
  readonly framework?: string;
  readonly isAppCode: boolean;
}

/** A program or library of the app itself, which symbols can describe. */
export interface OwnBinary {
  readonly id: string;
  readonly name: string;
}

/** Report properties needed in lists. The original log is in `reportBodies` under the same key. */
export interface Report {
  readonly id: string;
  readonly appId: string;
  readonly groupId: string;
  readonly kind: ErrorKind;
  /** When the error occurred. */
  readonly at: string;
  readonly receivedAt: string;
  readonly installId: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly version: string;
  readonly build: string;
  readonly device: Device;
  readonly exceptionType: string;
  readonly exceptionMessage?: string;
  readonly reasonFrame?: Frame;
  /** Number of attachments received. */
  readonly attachments: number;
  /** The symbols that a native crash needs. Reports that need the same symbols have the same `groupId`. */
  readonly symbols?: { readonly groupId: string; readonly binaries: readonly OwnBinary[] };
}

/** Keyed by `app/report`. */
export const reports = collection<Report>('lifecycle.reports', {
  fields: {
    id: text(({ id }) => id),
    appId: text(({ appId }) => appId),
    groupId: text(({ groupId }) => groupId),
    kind: text(({ kind }) => kind),
    at: text(({ at }) => at),
    /** `at` in milliseconds, for client-written filters. */
    time: number(({ at }) => Date.parse(at)),
    receivedAt: text(({ receivedAt }) => receivedAt),
    version: text(({ version }) => version),
    build: text(({ build }) => build),
    model: text(({ device }) => device.model),
    osVersion: text(({ device }) => device.osVersion),
    osName: text(({ device }) => device.osName),
    userId: text(({ userId }) => userId),
    locale: text(({ device }) => device.locale),
    className: text(({ reasonFrame }) => reasonFrame?.className),
    method: text(({ reasonFrame }) => reasonFrame?.methodName),
    file: text(({ reasonFrame }) => reasonFrame?.fileName),
    line: text(({ reasonFrame }) => reasonFrame?.lineNumber?.toString()),
    type: text(({ exceptionType }) => exceptionType),
    message: text(({ exceptionMessage }) => exceptionMessage),
    symbolGroup: text((report) => report.symbols?.groupId),
    symbolIds: set((report) => report.symbols?.binaries.map(({ id }) => id) ?? []),
    /** The text that a word search covers. */
    words: text((report) => wordsOf(report)),
  },
  indexes: [
    ['appId', 'at'],
    ['groupId', 'at'],
    ['appId', 'receivedAt'],
    ['appId', 'symbolGroup'],
  ],
});

/** The log of a report as sent, with readable names if symbols were available. Keyed by `app/report`. */
export interface ReportBody {
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export const reportBodies = collection<ReportBody>('lifecycle.report_bodies', { wide: true });

/** Reports of the same error in the same build of an app. */
export interface ReportGroup {
  readonly id: string;
  readonly appId: string;
  readonly kind: ErrorKind;
  readonly version: string;
  readonly build: string;
  readonly state: GroupState;
  readonly annotation?: string;
  readonly count: number;
  readonly deviceCount: number;
  readonly firstOccurrence: string;
  readonly lastOccurrence: string;
  readonly exceptionType: string;
  readonly exceptionMessage?: string;
  readonly osExceptionType?: string;
  readonly reasonFrame?: Frame;
}

/** Keyed by `app/group`. */
export const reportGroups = collection<ReportGroup>('lifecycle.report_groups', {
  fields: {
    id: text(({ id }) => id),
    appId: text(({ appId }) => appId),
    kind: text(({ kind }) => kind),
    version: text(({ version }) => version),
    build: text(({ build }) => build),
    state: text(({ state }) => state),
    count: number(({ count }) => count),
    deviceCount: number(({ deviceCount }) => deviceCount),
    first: text(({ firstOccurrence }) => firstOccurrence),
    last: text(({ lastOccurrence }) => lastOccurrence),
    /** The first and last occurrence in milliseconds, for client-written filters. */
    firstTime: number(({ firstOccurrence }) => Date.parse(firstOccurrence)),
    lastTime: number(({ lastOccurrence }) => Date.parse(lastOccurrence)),
    type: text(({ exceptionType }) => exceptionType),
    message: text(({ exceptionMessage }) => exceptionMessage),
    className: text(({ reasonFrame }) => reasonFrame?.className),
    method: text(({ reasonFrame }) => reasonFrame?.methodName),
    file: text(({ reasonFrame }) => reasonFrame?.fileName),
    line: text(({ reasonFrame }) => reasonFrame?.lineNumber?.toString()),
    annotation: text(({ annotation }) => annotation),
    words: text((group) => wordsOf(group)),
  },
  indexes: [
    ['appId', 'count'],
    ['appId', 'last'],
  ],
});

/** Number of reports of a group per device. Keyed by `app/group/device`. */
export const groupDevices = collection<{ readonly count: number }>('lifecycle.report_group_devices');

export interface Attachment {
  readonly id: string;
  readonly appId: string;
  readonly reportId: string;
  readonly contentType: string;
  readonly fileName: string;
  readonly size: number;
  readonly createdAt: string;
}

/** Keyed by `app/report/attachment`. An attachment may arrive before its report. Its content is a file with the same key. */
export const attachments = collection<Attachment>('lifecycle.report_attachments', {
  fields: {
    appId: text(({ appId }) => appId),
    reportId: text(({ reportId }) => reportId),
    createdAt: text(({ createdAt }) => createdAt),
  },
  indexes: [['appId', 'createdAt']],
});

/** Parts of files, in key order. Keyed by `file name/number`. */
export const fileParts = collection<{ readonly base64: string }>('lifecycle.file_parts', { wide: true });

/** Retention of an app's reports in days, if it differs from the default. Keyed by app. */
export const retentions = collection<{ readonly days: number }>('lifecycle.report_retentions');

const wordsOf = (
  of: Pick<Report, 'exceptionType' | 'exceptionMessage' | 'reasonFrame'> & { userId?: string },
): string =>
  [
    of.exceptionType,
    of.exceptionMessage,
    of.reasonFrame?.className,
    of.reasonFrame?.methodName,
    of.reasonFrame?.fileName,
    of.userId,
  ]
    .filter((word) => word !== undefined)
    .join(' ')
    .toLowerCase();

export const reportKey = (appId: string, reportId: string): string => `${appId}/${reportId}`;
export const groupKey = (appId: string, groupId: string): string => `${appId}/${groupId}`;
export const attachmentKey = (appId: string, reportId: string, attachmentId: string): string =>
  `${appId}/${reportId}/${attachmentId}`;

export const DIAGNOSTICS_COLLECTIONS = [
  reports,
  reportBodies,
  reportGroups,
  groupDevices,
  attachments,
  fileParts,
  retentions,
];
