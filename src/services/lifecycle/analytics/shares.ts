import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import type { DeviceDay } from './collections.ts';
import { byCount, DeviceSets } from './counts.ts';
import { LISTING, PERIOD, readPeriod, readTop } from './query.ts';
import { readPeriodDays } from './read-days.ts';

/** Number of devices per version, system, model, language and country. */

type Trait = 'version' | 'os' | 'model' | 'language' | 'country';

/** `list` and `label` are the property names of the response for the array and its items. */
const shares = (trait: Trait, list: string, label: string) => {
  const Share = Type.Object({ [label]: Type.String(), count: Type.Integer(), previous_count: Type.Integer() });
  return routeCode([], {
    query: Type.Object({ ...PERIOD, ...LISTING }),
    responses: { 200: Type.Object({ total: Type.Integer(), [list]: Type.Array(Share) }) },
    async handle(call) {
      const { jar, query } = call;
      const period = readPeriod(query, jar.clock.now());
      const now = new DeviceSets();
      const before = new DeviceSets();
      const all = new Set<string>();
      for await (const { value, installId, isPrevious } of readPeriodDays(jar.store, appOf(call).id, period)) {
        const name = traitOf(value, trait);
        if (!isPrevious) all.add(installId);
        if (name !== undefined) (isPrevious ? before : now).add(name, installId);
      }
      const found = [...now.keys()].map((name) => ({ name, count: now.count(name) })).sort(byCount);
      const listed = found.slice(0, readTop(query.$top));
      return ok({
        total: all.size,
        [list]: listed.map(({ name, count }) => ({ [label]: name, count, previous_count: before.count(name) })),
      });
    },
  });
};

const traitOf = (day: DeviceDay, trait: Trait): string | undefined => day[trait] || undefined;

export const versions = shares('version', 'versions', 'version');
export const operatingSystemCounts = shares('os', 'oses', 'os_name');
export const modelCounts = shares('model', 'models', 'model_name');
export const languageCounts = shares('language', 'languages', 'language_name');
export const placeCounts = shares('country', 'places', 'code');
