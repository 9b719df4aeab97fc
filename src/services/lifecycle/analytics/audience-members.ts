import type { Jar } from '../../../kernel/service/index.ts';
import { walk } from '../../../kernel/store/index.ts';
import { type CustomType, type DeviceProfile, deviceProfiles } from './collections.ts';

/** Every audience of the app looks at each of them before others get their turn. */
const PAGE = 100;
/** The names come from devices, which anybody can pretend to be. */
const MOST_PROPERTIES = 1000;

/** Every device of an app that is known. */
export async function* readProfiles({ store }: Jar, appId: string): AsyncGenerator<DeviceProfile> {
  for await (const { value } of walk(store, deviceProfiles, { prefix: `${appId}/`, page: PAGE })) yield value;
}

/** How many devices belong to each of some audiences, and how many there are. */
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

/** The properties that apps have set on any of their devices, with the type that came first. */
export async function customPropertiesOf(jar: Jar, appId: string): Promise<Record<string, CustomType>> {
  const types = new Map<string, CustomType>();
  for await (const { properties } of readProfiles(jar, appId)) {
    for (const [name, { type }] of Object.entries(properties)) {
      if (types.size < MOST_PROPERTIES && !types.has(name)) types.set(name, type);
    }
  }
  return Object.fromEntries(types);
}
