import { DAY_MS } from '../../../kernel/time/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { underscored } from '../underscored.ts';
import type { AppLog, Device } from './types.ts';

/** An older log would belong to days without detail, so it counts as of its arrival. */
const OLDEST_LOG_MS = 90 * DAY_MS;

const LONGEST_TEXT = 256;
/** Deeper nesting cannot be serialised again; real exception causes are nowhere near this depth. */
const DEEPEST = 200;
const IDENTIFIER = /^[\w-]{1,100}$/;
export const LONGEST_EVENT_NAME = 256;

/** The log types of SDKs. Other types come from newer SDKs and are accepted. */
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  'startService',
  'startSession',
  'event',
  'page',
  'customProperties',
  'pushInstallation',
  'distributionStartSession',
  'managedError',
  'handledError',
  'appleError',
  'errorAttachment',
]);

/** Why a log was not accepted; `problem` is undefined if only its type is unknown. */
export type RejectedLog = { readonly problem?: string; readonly unknownType?: string };

/** Parses one log of a request, with the properties common to all types. */
export function readLog(sent: unknown, receivedAt: number): AppLog | RejectedLog {
  if (!isObject(sent)) return { problem: 'a log is not an object' };
  const type = textOf(sent.type);
  if (type === undefined) return { problem: "a log has no 'type'" };
  if (!KNOWN_TYPES.has(type)) return { unknownType: type };
  if (isDeeper(sent, DEEPEST)) return { problem: `a log of the type ${type} is nested deeper than ${DEEPEST} levels` };
  if (!isObject(sent.device)) return { problem: `a log of the type ${type} has no 'device'` };
  const sessionId = identifierOf(sent.sid);
  if (type === 'startSession' && sessionId === undefined) return { problem: "a session has no 'sid'" };
  if ((type === 'event' || type === 'page') && textOf(sent.name) === undefined) {
    return { problem: `a log of the type ${type} has no 'name'` };
  }
  const userId = textOf(sent.userId);
  return {
    type,
    at: timeOf(sent.timestamp, receivedAt),
    ...(sessionId !== undefined && { sessionId }),
    ...(userId !== undefined && { userId }),
    device: deviceOf(sent.device),
    content: sent,
  };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** The device's time, unless it is impossible. */
function timeOf(timestamp: unknown, receivedAt: number): number {
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return at <= receivedAt && at > receivedAt - OLDEST_LOG_MS ? at : receivedAt;
}

/** Wire names equal the property names; the oldest SDKs separate words with underscores. */
const DEVICE_TEXTS = [
  'sdkName',
  'sdkVersion',
  'model',
  'oemName',
  'osName',
  'osVersion',
  'osBuild',
  'locale',
  'screenSize',
  'appVersion',
  'appBuild',
  'appNamespace',
  'carrierName',
  'carrierCountry',
] as const satisfies readonly (keyof Device)[];
const DEVICE_NUMBERS = ['osApiLevel', 'timeZoneOffset'] as const satisfies readonly (keyof Device)[];

const OLD_NAMES = new Map([...DEVICE_TEXTS, ...DEVICE_NUMBERS].map((name) => [name, underscored(name)]));

function deviceOf(sent: Readonly<Record<string, unknown>>): Device {
  const device: Record<string, string | number> = {};
  for (const name of DEVICE_TEXTS) {
    const text = textOf(sent[name] ?? sent[OLD_NAMES.get(name) as string]);
    if (text !== undefined) device[name] = text;
  }
  for (const name of DEVICE_NUMBERS) {
    const number = sent[name] ?? sent[OLD_NAMES.get(name) as string];
    if (Number.isSafeInteger(number)) device[name] = number as number;
  }
  return device;
}

/** Returns undefined for an empty text; truncates long ones. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, LONGEST_TEXT).toWellFormed() : undefined;
}

/** Identifiers are compared case-insensitively: SDKs for different systems use different cases. */
function identifierOf(value: unknown): string | undefined {
  return typeof value === 'string' && IDENTIFIER.test(value) ? value.toLowerCase() : undefined;
}

/** The `id` of a log; undefined if it has none. */
export const logIdOf = ({ content }: AppLog): string | undefined => identifierOf(content.id);
