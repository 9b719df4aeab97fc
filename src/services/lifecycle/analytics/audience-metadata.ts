import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { appOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { DEVICE_PROPERTIES } from './audience-definition.ts';
import { customPropertiesOf, readProfiles } from './audience-members.ts';
import { CUSTOM_TYPES } from './collections.ts';

/** Properties and values available in audience definitions. */

const MOST_VALUES = 100;

const Types = Type.Object({ values: Type.Record(Type.String(), Type.Enum([...CUSTOM_TYPES])) });

export const listDeviceProperties = routeCode([], {
  responses: { 200: Types },
  handle: () =>
    ok({ values: Object.fromEntries(Object.entries(DEVICE_PROPERTIES).map(([name, { type }]) => [name, type])) }),
});

export const listCustomProperties = routeCode([], {
  responses: { 200: Types },
  handle: async (call) => ok({ values: await customPropertiesOf(call.jar, appOf(call).id) }),
});

/** The values of a property among devices, optionally only values that contain a text. */
export const listDevicePropertyValues = routeCode(['property_name'], {
  query: Type.Object({ contains: Type.Optional(Type.String()) }),
  responses: { 200: Type.Object({ values: Type.Array(Type.String()) }) },
  async handle(call) {
    const { jar, params, query } = call;
    const name = Object.keys(DEVICE_PROPERTIES).find((each) => each === params.property_name);
    const property = name === undefined ? undefined : DEVICE_PROPERTIES[name];
    if (!property) {
      const reason = `'${params.property_name.slice(0, 60)}' is not a device property; use one of ${Object.keys(DEVICE_PROPERTIES).join(', ')}.`;
      throw errors.NotFound({ reason });
    }
    const part = (query.contains ?? '').toLowerCase();
    const values = new Set<string>();
    for await (const { device } of readProfiles(jar, appOf(call).id)) {
      const value = property.of(device);
      if (value !== undefined && String(value).toLowerCase().includes(part)) values.add(String(value));
    }
    return ok({ values: [...values].sort().slice(0, MOST_VALUES) });
  },
});
