import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { Device } from '../logs/types.ts';

/**
 * What apps report of their crashes and of errors that they have handled. Times are ISO texts, as everywhere in the service. Everything of
 * an app has keys that begin with its id, so that it can be dropped with the app.
 */

export type ErrorKind = 'unhandledError' | 'handledError';

export const GROUP_STATES = ['open', 'closed', 'ignored'] as const;
export type GroupState = (typeof GROUP_STATES)[number];

/** One line of a stack trace, as told by the app and, where there are symbols, made readable. */
export interface Frame {
  readonly className?: string;
  readonly methodName?: string;
  readonly fileName?: string;
  readonly lineNumber?: number;
  readonly address?: string;
  /** The line as text, where the app has nothing better. */
  readonly code?: string;
  /** The library that it is in. */
  readonly framework?: string;
  readonly isAppCode: boolean;
}

/** A program or library of the app itself, for which it has symbols. */
export interface OwnBinary {
  readonly id: string;
  readonly name: string;
}

/** What there is to say of a report in a list. What it was made of is in `reportBodies`, under the same key. */
export interface Report {
  readonly id: string;
  readonly appId: string;
  readonly groupId: string;
  readonly kind: ErrorKind;
  /** When it happened. */
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
  /** How many have come. */
  readonly attachments: number;
  /** What is needed to read a native crash; reports that need the same are of one group. */
  readonly symbols?: { readonly groupId: string; readonly binaries: readonly OwnBinary[] };
}

/** By `app/report`. */
export const reports = collection<Report>('lifecycle.reports', {
  fields: {
    id: text(({ id }) => id),
    appId: text(({ appId }) => appId),
    groupId: text(({ groupId }) => groupId),
    kind: text(({ kind }) => kind),
    at: text(({ at }) => at),
    /** The same as milliseconds, for filters that clients write. */
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
    /** What a search for words looks through. */
    words: text((report) => wordsOf(report)),
  },
  indexes: [
    ['appId', 'at'],
    ['groupId', 'at'],
    ['appId', 'receivedAt'],
    ['appId', 'symbolGroup'],
  ],
});

/** The log of a report as it was sent, with readable names where there were symbols. By `app/report`. */
export interface ReportBody {
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export const reportBodies = collection<ReportBody>('lifecycle.report_bodies', { wide: true });

/** Reports that tell of the same mistake in the same build of an app. */
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

/** By `app/group`. */
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
    /** The same two as milliseconds, for filters that clients write. */
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

/** How many reports of a group one device has sent: by `app/group/device`. */
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

/** By `app/report/attachment`. They may come before their report. Their bytes are a file of that name. */
export const attachments = collection<Attachment>('lifecycle.report_attachments', {
  fields: {
    appId: text(({ appId }) => appId),
    reportId: text(({ reportId }) => reportId),
    createdAt: text(({ createdAt }) => createdAt),
  },
  indexes: [['appId', 'createdAt']],
});

/** Bytes in pieces, in the order of their keys: by `name of the file/number`. */
export const fileParts = collection<{ readonly base64: string }>('lifecycle.file_parts', { wide: true });

/** How many days reports of an app are kept, where that is not the default: by the app. */
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
