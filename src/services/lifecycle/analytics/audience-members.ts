import type { Jar } from '../../../kernel/service/index.ts';
import { walk } from '../../../kernel/store/index.ts';
import { type CustomType, type DeviceProfile, deviceProfiles } from './collections.ts';

/** Devices per page; each page is tested against every audience before other work gets its turn. */
const PAGE = 100;
/** Limit, because property names come from devices and anyone can pretend to be a device. */
const MOST_PROPERTIES = 1000;

/** Every known device of an app. */
export async function* readProfiles({ store }: Jar, appId: string): AsyncGenerator<DeviceProfile> {
  for await (const { value } of walk(store, deviceProfiles, { prefix: `${appId}/`, page: PAGE })) yield value;
}

/** The number of members of each audience, and the total number of devices. */
export async function countMembers(
  jar: Jar,
  appId: string,
  audiences: readonly ((profile: DeviceProfile) => boolean)[],
): Promise<{ readonly counts: readonly number[]; readonly total: number }> {
  const counts = audiences.map(() => 0);
  let total = 0;
  for await (const profile of readProfiles(jar, appId)) {
    total++;
    audiences.forEach((isMember, index) => {
      if (isMember(profile)) counts[index] = (counts[index] ?? 0) + 1;
    });
  }
  return { counts, total };
}

/** The custom properties set on any device of the app, with the type seen first. */
export async function customPropertiesOf(jar: Jar, appId: string): Promise<Record<string, CustomType>> {
  const types = new Map<string, CustomType>();
  for await (const { properties } of readProfiles(jar, appId)) {
    for (const [name, { type }] of Object.entries(properties)) {
      if (types.size < MOST_PROPERTIES && !types.has(name)) types.set(name, type);
    }
  }
  return Object.fromEntries(types);
}
