import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { eventDefinitions } from './collections.ts';
import { byCount, Tally } from './counts.ts';
import { PERIOD, readPeriod, readTop } from './query.ts';
import { readEventValues } from './read-days.ts';
import { definitionKey } from './record-events.ts';

const LISTED_VALUES = 10;

export const eventProperties = routeCode(['event_name'], {
  responses: { 200: Type.Object({ event_properties: Type.Array(Type.String()) }) },
  async handle(call) {
    const key = definitionKey(appOf(call).id, call.params.event_name);
    const definition = await call.jar.store.get(eventDefinitions, key);
    return ok({ event_properties: definition?.value.properties ?? [] });
  },
});

const Values = Type.Object({
  total: Type.Integer(),
  values: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer(), previous_count: Type.Integer() })),
});

/** The values of a property, most frequent first. */
export const eventPropertyCounts = routeCode(['event_name', 'event_property_name'], {
  query: Type.Object({ ...PERIOD, $top: Type.Optional(Type.Integer({ minimum: 0 })) }),
  responses: { 200: Values },
  async handle(call) {
    const { jar, query, params } = call;
    const appId = appOf(call).id;
    const { days, previous, versions } = readPeriod(query, jar.clock.now());
    const definition = await jar.store.get(eventDefinitions, definitionKey(appId, params.event_name));
    if (!definition) return ok({ total: 0, values: [] });
    const count = async (of: readonly string[]): Promise<Tally> => {
      const tally = new Tally();
      for (const day of of) {
        for await (const { version, properties } of readEventValues(
          jar.store,
          appId,
          day,
          definition.value.countedAs,
        )) {
          if (versions && !versions.has(version)) continue;
          for (const [value, times] of Object.entries(properties[params.event_property_name] ?? {})) {
            tally.add(value, times);
          }
        }
      }
      return tally;
    };
    const now = await count(days);
    const before = await count(previous);
    const found = [...now.keys()].map((name) => ({ name, count: now.count(name) })).sort(byCount);
    return ok({
      total: found.reduce((sum, each) => sum + each.count, 0),
      values: found
        .slice(0, readTop(query.$top, LISTED_VALUES))
        .map((each) => ({ ...each, previous_count: before.count(each.name) })),
    });
  },
});
