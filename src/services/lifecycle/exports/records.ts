import { createHash } from 'node:crypto';
import type { JournalEntry, KeptLog } from './collections.ts';
import type { ExportedEntity } from './entities.ts';

export type ExportRecord = Readonly<Record<string, unknown>>;

/** Device properties: name in a log and name in an export. */
const DEVICE_FIELDS: readonly (readonly [sent: string, exported: string])[] = [
  ['sdkName', 'SdkName'],
  ['sdkVersion', 'SdkVersion'],
  ['model', 'Model'],
  ['oemName', 'OemName'],
  ['osName', 'OsName'],
  ['osVersion', 'OsVersion'],
  ['osBuild', 'OsBuild'],
  ['osApiLevel', 'OsApiLevel'],
  ['locale', 'Locale'],
  ['screenSize', 'ScreenSize'],
  ['appVersion', 'AppVersion'],
  ['appBuild', 'AppBuild'],
  ['appNamespace', 'AppNamespace'],
  ['carrierName', 'CarrierName'],
  ['carrierCountry', 'CarrierCountry'],
  ['wrapperSdkVersion', 'WrapperSdkVersion'],
  ['wrapperSdkName', 'WrapperSdkName'],
  ['wrapperRuntimeVersion', 'WrapperRuntimeVersion'],
  ['liveUpdateReleaseLabel', 'LiveUpdateReleaseLabel'],
  ['liveUpdateDeploymentKey', 'LiveUpdateDeploymentKey'],
  ['liveUpdatePackageHash', 'LiveUpdatePackageHash'],
];

/** An exported log. As in the real service, records of `logs` contain only texts; other records also contain the original log. */
export function recordOf(entry: JournalEntry, key: string, index: number, entity: ExportedEntity): ExportRecord {
  const log = entry.logs[index] as KeptLog;
  const { id, name } = log.content;
  const properties = propertiesOf(log.content);
  const messageId = typeof id === 'string' ? id : nameUuid(`${key}/${index}`);
  return {
    AppId: entry.appId,
    Timestamp: new Date(log.at).toISOString(),
    InstallId: entry.installId,
    MessageType: messageType(log.type),
    IngressTimestamp: new Date(entry.receivedAt).toISOString(),
    MessageId: messageId,
    ...(log.type === 'event' && { EventId: messageId, EventName: asText(name) }),
    CorrelationId: nameUuid(key),
    IsTestMessage: 'False',
    ...deviceFields(log),
    ...(properties && { Properties: JSON.stringify(properties) }),
    ...(log.sessionId !== undefined && { SessionId: log.sessionId }),
    ...(log.userId !== undefined && { UserId: log.userId }),
    ...(entity !== 'logs' && { Log: log.content }),
  };
}

/** Texts by name, in either of the two sent formats. */
function propertiesOf({
  properties,
  typedProperties,
}: KeptLog['content']): Readonly<Record<string, string>> | undefined {
  const sent: (readonly [name: unknown, value: unknown])[] = [];
  if (Array.isArray(typedProperties)) for (const each of typedProperties) sent.push([each?.name, each?.value]);
  if (Array.isArray(properties)) for (const each of properties) sent.push([each?.name, each?.value]);
  else if (typeof properties === 'object' && properties !== null) sent.push(...Object.entries(properties));
  const named = sent.filter(([name]) => typeof name === 'string').map(([name, value]) => [name, asText(value)]);
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function deviceFields({ device }: KeptLog): ExportRecord {
  const fields: Record<string, string> = {};
  for (const [sent, exported] of DEVICE_FIELDS) {
    const value = device[sent];
    if (value !== undefined && value !== null) fields[exported] = asText(value);
  }
  const { timeZoneOffset, carrierCountry } = device;
  if (timeZoneOffset !== undefined) fields.TimeZoneOffset = offsetText(timeZoneOffset);
  if (typeof carrierCountry === 'string') fields.CountryCode = carrierCountry.toUpperCase();
  return fields;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Minutes as an ISO 8601 duration: 90 is `PT1H30M`. */
function offsetText(minutes: number): string {
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const text = `${hours === 0 ? '' : `${hours}H`}${rest === 0 && hours !== 0 ? '' : `${rest}M`}`;
  return `${minutes < 0 ? '-' : ''}PT${text}`;
}

/** For example, `startSession` becomes `StartSessionLog`. */
const messageType = (type: string): string => `${type.charAt(0).toUpperCase()}${type.slice(1)}Log`;

/** Deterministic per text, so that a retry writes the same id. */
function nameUuid(text: string): string {
  const bytes = createHash('sha256').update(text).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
