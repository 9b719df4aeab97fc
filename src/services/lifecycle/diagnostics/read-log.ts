import { isObject } from '../../../kernel/values/index.ts';
import type { AppLog } from '../logs/types.ts';

/** Parses error logs, whose shape is not guaranteed. Invalid values count as missing. */

/** A frame as sent by the SDKs. */
export interface SentFrame {
  readonly className?: string;
  readonly methodName?: string;
  readonly fileName?: string;
  readonly lineNumber?: number;
  readonly address?: string;
  readonly code?: string;
}

export interface SentException {
  readonly type: string;
  readonly message?: string;
  readonly stackTrace?: string;
  readonly wrapperSdkName?: string;
  readonly frames: readonly SentFrame[];
  readonly inner: readonly SentException[];
}

export interface SentThread {
  readonly id: string;
  readonly name?: string;
  readonly frames: readonly SentFrame[];
  readonly exception?: SentException;
}

/** A binary that was loaded when an Apple app crashed. */
export interface SentBinary {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly startAddress: bigint;
  readonly endAddress: bigint;
}

/** Deeper nesting is ignored. */
const DEEPEST = 20;
/** Per report, including causes. */
const MOST_EXCEPTIONS = 50;

export type Content = Readonly<Record<string, unknown>>;

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.toWellFormed().replaceAll('\0', '') : undefined;

/** Longer names are truncated. */
const LONGEST_NAME = 1000;
export const nameOf = (value: unknown): string | undefined => textOf(value)?.slice(0, LONGEST_NAME).toWellFormed();

/** More than any real program has; the rest is omitted. */
const MOST_FRAMES = 2000;
const MOST_THREADS = 500;
const MOST_BINARIES = 5000;

const objectOf = (value: unknown): Content | undefined => (isObject(value) ? value : undefined);

const objectsOf = (value: unknown, most: number): Content[] =>
  Array.isArray(value)
    ? value
        .slice(0, most)
        .map(objectOf)
        .filter((each) => each !== undefined)
    : [];

const framesOf = ({ frames }: Content): SentFrame[] => objectsOf(frames, MOST_FRAMES).map(readFrame);

const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const known = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;

const readFrame = (frame: Content): SentFrame =>
  known({
    className: nameOf(frame.className),
    methodName: nameOf(frame.methodName),
    fileName: nameOf(frame.fileName),
    lineNumber: wholeNumber(frame.lineNumber),
    address: nameOf(frame.address),
    code: nameOf(frame.code),
  });

export function readException(value: unknown, depth = 0, room = { left: MOST_EXCEPTIONS }): SentException | undefined {
  const exception = objectOf(value);
  const type = nameOf(exception?.type);
  if (!exception || type === undefined || depth > DEEPEST || room.left-- <= 0) return undefined;
  return {
    type,
    ...known({
      message: textOf(exception.message),
      stackTrace: textOf(exception.stackTrace),
      wrapperSdkName: textOf(exception.wrapperSdkName),
    }),
    frames: framesOf(exception),
    inner: objectsOf(exception.innerExceptions, MOST_EXCEPTIONS)
      .map((each) => readException(each, depth + 1, room))
      .filter((each) => each !== undefined),
  };
}

export const readThreads = (value: unknown): SentThread[] =>
  objectsOf(value, MOST_THREADS).map((thread, index) => {
    const exception = readException(thread.exception);
    return {
      id: String(thread.id ?? index).slice(0, LONGEST_NAME),
      ...known({ name: nameOf(thread.name) }),
      frames: framesOf(thread),
      ...(exception && { exception }),
    };
  });

/** Real identifiers have 36 characters. Other values must still fit into an index. */
const LONGEST_BINARY_ID = 100;

export const readBinaries = (value: unknown): SentBinary[] =>
  objectsOf(value, MOST_BINARIES).flatMap((binary) => {
    const [startAddress, endAddress] = [addressOf(binary.startAddress), addressOf(binary.endAddress)];
    const id = nameOf(binary.id);
    if (id === undefined || startAddress === undefined || endAddress === undefined) return [];
    return [
      {
        id: id.slice(0, LONGEST_BINARY_ID).toWellFormed().toLowerCase(),
        name: nameOf(binary.name) ?? '',
        path: nameOf(binary.path) ?? '',
        startAddress,
        endAddress,
      },
    ];
  });

/** Parses an address such as `0x1042c`. */
export const addressOf = (value: unknown): bigint | undefined =>
  typeof value === 'string' && /^(0x[0-9a-f]{1,16}|\d{1,20})$/i.test(value) ? BigInt(value) : undefined;

/** The real service's limits: excess properties are omitted, long values truncated. */
export const MOST_PROPERTIES = 20;
export const LONGEST_PROPERTY = 125;

/** The properties that the app attached to an error, in their order. */
export function readProperties(value: unknown): Readonly<Record<string, string>> | undefined {
  const given = Object.entries(objectOf(value) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== '',
  );
  if (given.length === 0) return undefined;
  const cut = (text: string): string => text.slice(0, LONGEST_PROPERTY).toWellFormed();
  return Object.fromEntries(given.slice(0, MOST_PROPERTIES).map(([name, text]) => [cut(name), cut(text)]));
}

/** The id of a log, in lower case because ids are compared that way. */
export const idOf = ({ content }: Pick<AppLog, 'content'>): string | undefined => {
  const id = textOf(content.id)?.toLowerCase();
  return id !== undefined && /^[0-9a-z-]{1,64}$/.test(id) ? id : undefined;
};

export interface SentAttachment {
  readonly id: string;
  readonly reportId: string;
  readonly contentType: string;
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** The largest attachment that the SDKs send. */
const MOST_ATTACHED_BYTES = 7 * 1024 * 1024;

export function readAttachment(log: AppLog): SentAttachment | undefined {
  const id = idOf(log);
  const reportId = idOf({ content: { id: log.content.errorId } });
  const contentType = nameOf(log.content.contentType);
  const { data } = log.content;
  if (id === undefined || reportId === undefined || contentType === undefined || typeof data !== 'string')
    return undefined;
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > MOST_ATTACHED_BYTES) return undefined;
  return { id, reportId, contentType, fileName: nameOf(log.content.fileName) ?? id, bytes };
}
