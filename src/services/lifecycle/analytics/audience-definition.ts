import {
  compileFilter,
  type EntityShape,
  Evaluator,
  entityShape,
  ODataError,
  type PropertyShape,
} from '../../../kernel/odata/index.ts';
import { errors } from '../errors.ts';
import type { Device } from '../logs/types.ts';
import { type CustomType, type DeviceProfile, deviceProfiles } from './collections.ts';

/** Audience definitions: an OData expression over device properties, for example `CarrierCountry ne 'KP' and paying eq true`. */

const AS_EDM = {
  string: 'Edm.String',
  number: 'Edm.Double',
  boolean: 'Edm.Boolean',
  date_time: 'Edm.DateTimeOffset',
} as const satisfies Record<CustomType, PropertyShape['type']>;

interface DeviceProperty {
  readonly type: CustomType;
  readonly of: (device: Device) => string | number | undefined;
}

export const DEVICE_PROPERTIES: Readonly<Record<string, DeviceProperty>> = {
  ApiLevel: { type: 'number', of: ({ osApiLevel }) => osApiLevel },
  AppVersion: { type: 'string', of: ({ appVersion }) => appVersion },
  AppBuild: { type: 'string', of: ({ appBuild }) => appBuild },
  CarrierCountry: { type: 'string', of: ({ carrierCountry }) => carrierCountry?.toUpperCase() },
  CarrierName: { type: 'string', of: ({ carrierName }) => carrierName },
  Language: { type: 'string', of: ({ locale }) => locale?.split(/[-_]/)[0]?.toLowerCase() },
  Model: { type: 'string', of: ({ model }) => model },
  OemName: { type: 'string', of: ({ oemName }) => oemName },
  OsName: { type: 'string', of: ({ osName }) => osName },
  OsVersion: { type: 'string', of: ({ osVersion }) => osVersion },
  ScreenSize: { type: 'string', of: ({ screenSize }) => screenSize },
};

export type Members = (profile: DeviceProfile) => boolean;

/**
 * Compiles a definition to a membership test. Throws if the definition is invalid, or names a property that neither devices nor the app
 * have.
 */
export function readDefinition(
  definition: string,
  customProperties: Readonly<Record<string, CustomType>>,
  now: number,
): Members {
  const shape = shapeOf(customProperties);
  try {
    const { predicate } = compileFilter(shape, definition, now);
    const evaluator = new Evaluator(deviceProfiles);
    return (profile) => evaluator.matches(predicate, profile);
  } catch (error) {
    if (!(error instanceof ODataError)) throw error;
    throw errors.BadRequest({ reason: `The definition is not valid: ${error.message}.` }, { target: 'definition' });
  }
}

function shapeOf(customProperties: Readonly<Record<string, CustomType>>): EntityShape<DeviceProfile> {
  const properties = new Map<string, PropertyShape>();
  for (const [name, type] of Object.entries(customProperties)) {
    const read = ({ properties: set }: DeviceProfile) => {
      const known = Object.hasOwn(set, name) ? set[name] : undefined;
      return known?.type === type ? known.value : undefined;
    };
    properties.set(name, { type: AS_EDM[type], read: read as PropertyShape['read'] & {} });
  }
  for (const [name, { type, of }] of Object.entries(DEVICE_PROPERTIES)) {
    const read = ({ device }: DeviceProfile) => of(device);
    properties.set(name, { type: AS_EDM[type], read: read as PropertyShape['read'] & {} });
  }
  return entityShape<DeviceProfile>({
    name: 'device',
    collection: deviceProfiles,
    properties: Object.fromEntries(properties),
    scan: 'bounded',
  });
}
