import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../kernel/store/index.ts';
import { dayOf } from '../../../kernel/time/index.ts';
import { deviceKey } from '../logs/collections.ts';
import type { AppLog, Delivery } from '../logs/types.ts';
import { type CustomType, type CustomValue, type DeviceProfile, deviceProfiles } from './collections.ts';

/** The SDKs' limit on custom properties per device. */
const MOST_PROPERTIES = 60;
const LONGEST_VALUE = 128;
const PROPERTY_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,127}$/;

/** Updates a device's properties from its logs. Writes only if something changed. */
export async function recordProfile(tx: Tx, { app, installId, logs }: Delivery): Promise<void> {
  const key = deviceKey(app.id, installId);
  const known = (await tx.get(deviceProfiles, key))?.value;
  const latest = logs.reduce((a, b) => (b.at >= a.at ? b : a));
  const day = dayOf(latest.at);
  const isNewer = !known || day >= known.lastDay;
  const userId = latest.userId ?? known?.userId;
  const profile: DeviceProfile = {
    appId: app.id,
    lastDay: isNewer ? day : known.lastDay,
    device: isNewer ? latest.device : known.device,
    ...(userId !== undefined && { userId }),
    properties: withCustomProperties(known?.properties ?? {}, logs),
  };
  if (!isDeepStrictEqual(profile, known)) await tx.put(deviceProfiles, key, profile);
}

type Properties = DeviceProfile['properties'];

function withCustomProperties(known: Properties, logs: readonly AppLog[]): Properties {
  const sent = logs.filter(({ type }) => type === 'customProperties').sort((a, b) => a.at - b.at);
  if (sent.length === 0) return known;
  const properties = new Map(Object.entries(known));
  for (const { content } of sent) {
    if (!Array.isArray(content.properties)) continue;
    for (const { name, type, value } of content.properties.filter((each) => each !== null)) {
      if (typeof name !== 'string' || !PROPERTY_NAME.test(name)) continue;
      if (type === 'clear') properties.delete(name);
      const read = readValue(type, value);
      if (read && (properties.has(name) || properties.size < MOST_PROPERTIES)) properties.set(name, read);
    }
  }
  return Object.fromEntries(properties);
}

function readValue(type: unknown, value: unknown): { type: CustomType; value: CustomValue } | undefined {
  if (type === 'string' && typeof value === 'string') return { type, value: value.slice(0, LONGEST_VALUE) };
  // JSON can contain numbers that overflow to Infinity.
  if (type === 'number' && Number.isFinite(value)) return { type, value: value as number };
  if (type === 'boolean' && typeof value === 'boolean') return { type, value };
  if (type !== 'dateTime' || typeof value !== 'string' || Number.isNaN(Date.parse(value))) return undefined;
  return { type: 'date_time', value: new Date(value).toISOString() };
}
