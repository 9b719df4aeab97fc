import { createHash } from 'node:crypto';
import type { AppLog } from '../logs/types.ts';
import type { ErrorKind, Frame } from './collections.ts';
import { crashedFramesOf, framesOf, NativeCode } from './frames.ts';
import { nameOf, readException, type SentException, textOf } from './read-log.ts';

/** What a report is about, in short, and by what it is recognized. */
export interface Essence {
  readonly kind: ErrorKind;
  readonly exceptionType: string;
  readonly exceptionMessage?: string;
  readonly osExceptionType?: string;
  readonly reasonFrame?: Frame;
  /** Equal for reports of the same mistake. */
  readonly fingerprint: string;
}

const KINDS: Readonly<Record<string, ErrorKind>> = {
  managedError: 'unhandledError',
  appleError: 'unhandledError',
  handledError: 'handledError',
};

export const isReport = ({ type }: AppLog): boolean => Object.hasOwn(KINDS, type);
export const isAttachment = ({ type }: AppLog): boolean => type === 'errorAttachment';

/** Of a log that `isReport`. An app may say of a managed error that it went on running. */
export const kindOf = ({ type, content }: AppLog): ErrorKind =>
  type === 'managedError' && content.fatal === false ? 'handledError' : (KINDS[type] as ErrorKind);

/** Messages in lists end here; the whole of it is in the stack trace. */
const LONGEST_MESSAGE = 1000;
const short = (message: string | undefined) =>
  message === undefined ? {} : { exceptionMessage: message.slice(0, LONGEST_MESSAGE).toWellFormed() };

/** What the report is about; undefined where it does not say. */
export function essenceOf(log: AppLog): Essence | undefined {
  return log.type === 'appleError' ? nativeEssence(log) : managedEssence(log);
}

function managedEssence(log: AppLog): Essence | undefined {
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

/** Of the exception, or where it has none of the app's own, of the first of its causes that has some. */
function reasonFrames(exception: SentException): Frame[] {
  const frames = framesOf(exception);
  if (frames.some(({ isAppCode }) => isAppCode)) return frames;
  const cause = exception.inner.map(reasonFrames).find((each) => each.some(({ isAppCode }) => isAppCode));
  return cause ?? frames;
}

function nativeEssence(log: AppLog): Essence | undefined {
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

/** So many frames of the app's own, from where it happened, tell one mistake from another. */
const TELLING_FRAMES = 3;

/** Lines change with every edit, so the names of the methods count and the numbers do not. */
function fingerprintOf(parts: readonly string[], frames: readonly Frame[], place: (frame: Frame) => string): string {
  const own = frames.filter(({ isAppCode }) => isAppCode);
  const telling = (own.length > 0 ? own : frames).slice(0, TELLING_FRAMES);
  return JSON.stringify([...parts, ...telling.map(place)]);
}

/** The id of a group follows from what its reports have in common, so that nobody has to look for it. Shaped like any other id. */
export function groupIdOf(appId: string, version: string, build: string, fingerprint: string): string {
  return stableId([appId, version, build, fingerprint]);
}

/** An id out of what it is of. */
export function stableId(parts: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
