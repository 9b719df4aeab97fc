import { createHash } from 'node:crypto';
import type { AppLog } from '../logs/types.ts';
import type { ErrorKind, Frame } from './collections.ts';
import { crashedFramesOf, framesOf, NativeCode } from './frames.ts';
import { nameOf, readException, type SentException, textOf } from './read-log.ts';

/** The summary of a report, and the fingerprint that groups it. */
export interface ReportSummary {
  readonly kind: ErrorKind;
  readonly exceptionType: string;
  readonly exceptionMessage?: string;
  readonly osExceptionType?: string;
  readonly reasonFrame?: Frame;
  /** Equal for reports of the same error. */
  readonly fingerprint: string;
}

const KINDS: Readonly<Record<string, ErrorKind>> = {
  managedError: 'unhandledError',
  appleError: 'unhandledError',
  handledError: 'handledError',
};

export const isReport = ({ type }: AppLog): boolean => Object.hasOwn(KINDS, type);
export const isAttachment = ({ type }: AppLog): boolean => type === 'errorAttachment';

/** For logs that pass `isReport`. A managed error can be marked as not fatal, that is, handled. */
export const kindOf = ({ type, content }: AppLog): ErrorKind =>
  type === 'managedError' && content.fatal === false ? 'handledError' : (KINDS[type] as ErrorKind);

/** Limit of messages in lists; the stack trace contains the whole message. */
const LONGEST_MESSAGE = 1000;
const short = (message: string | undefined) =>
  message === undefined ? {} : { exceptionMessage: message.slice(0, LONGEST_MESSAGE).toWellFormed() };

/** Returns undefined if the log has no usable exception. */
export function reportSummaryOf(log: AppLog): ReportSummary | undefined {
  return log.type === 'appleError' ? nativeEssence(log) : managedEssence(log);
}

function managedEssence(log: AppLog): ReportSummary | undefined {
  const exception = readException(log.content.exception);
  if (!exception) return undefined;
  const frames = reasonFrames(exception);
  const kind = kindOf(log);
  return {
    kind,
    exceptionType: exception.type,
    ...short(exception.message),
    ...reason(frames),
    fingerprint: fingerprintOf([kind, exception.type], frames, methodOf),
  };
}

/** The frames of the exception or, if none of them belongs to the app, of the first cause that has app frames. */
function reasonFrames(exception: SentException): Frame[] {
  const frames = framesOf(exception);
  if (frames.some(({ isAppCode }) => isAppCode)) return frames;
  const cause = exception.inner.map(reasonFrames).find((each) => each.some(({ isAppCode }) => isAppCode));
  return cause ?? frames;
}

function nativeEssence(log: AppLog): ReportSummary | undefined {
  const { content } = log;
  const osExceptionType = nameOf(content.osExceptionType);
  const exceptionType = nameOf(content.exceptionType) ?? osExceptionType;
  if (exceptionType === undefined) return undefined;
  const native = new NativeCode(content);
  const frames = crashedFramesOf(content, native);
  const kind = kindOf(log);
  return {
    kind,
    exceptionType,
    ...short(textOf(content.exceptionReason)),
    ...(osExceptionType !== undefined && { osExceptionType }),
    ...reason(frames),
    fingerprint: fingerprintOf([kind, exceptionType], frames, (frame) => methodOf(frame) || native.place(frame)),
  };
}

const reason = (frames: readonly Frame[]) => {
  const reasonFrame = frames.find(({ isAppCode }) => isAppCode) ?? frames[0];
  return reasonFrame ? { reasonFrame } : {};
};

const methodOf = ({ className, methodName }: Frame): string =>
  className === undefined && methodName === undefined ? '' : `${className ?? ''}.${methodName ?? ''}`;

/** The number of topmost app frames that distinguish errors. */
const TELLING_FRAMES = 3;

/** Uses method names but not line numbers, which change with every edit. */
function fingerprintOf(parts: readonly string[], frames: readonly Frame[], place: (frame: Frame) => string): string {
  const own = frames.filter(({ isAppCode }) => isAppCode);
  const telling = (own.length > 0 ? own : frames).slice(0, TELLING_FRAMES);
  return JSON.stringify([...parts, ...telling.map(place)]);
}

/** Derives a group's id from the properties that its reports share, so that no lookup is needed. It has the form of any other id. */
export function groupIdOf(appId: string, version: string, build: string, fingerprint: string): string {
  return stableId([appId, version, build, fingerprint]);
}

/** A deterministic id derived from its parts. */
export function stableId(parts: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
