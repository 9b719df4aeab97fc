import { Type } from 'typebox';
import { ConfigError } from '../../kernel/config/index.ts';
import type { SettingsRules } from '../../kernel/service/index.ts';
import { extraTypesIn, TYPE_NAME } from './foreign/extra-types.ts';

const Optional = Type.Optional;
const TypeName = Type.String({ pattern: TYPE_NAME.source });

/** `services.resources` in cloudjar.config.json. */
const SettingsSchema = Type.Object(
  {
    /**
     * Resource types that the jar does not have and should keep as records: their names, or objects with details. The parent type of a
     * child type must be declared too.
     */
    extraTypes: Optional(
      Type.Array(
        Type.Union([
          TypeName,
          Type.Object(
            {
              type: TypeName,
              /** Newest first. Default: the versions of the gateway. */
              apiVersions: Optional(
                Type.Array(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d(-[a-z]+)?$' }), {
                  minItems: 1,
                  maxItems: 100,
                }),
              ),
              /** Whether the type has a location and tags. Default: true, but false for child types. */
              tracked: Optional(Type.Boolean()),
              /** Short names of regions, or `global`. Default: all regions. */
              locations: Optional(Type.Array(Type.String({ pattern: '^[a-z0-9]+$' }), { minItems: 1 })),
              /** If false, resources cannot leave their group. */
              movable: Optional(Type.Boolean()),
            },
            { additionalProperties: false },
          ),
        ]),
        { maxItems: 500 },
      ),
    ),
  },
  { additionalProperties: false },
);

export const settingsRules: SettingsRules = {
  schema: SettingsSchema,
  check({ config, providers }) {
    const known = providers.flatMap(({ types }) => types.map(({ type }) => type.toLowerCase()));
    for (const { type } of extraTypesIn(config)) {
      const name = type.toLowerCase();
      if (known.indexOf(name) !== known.lastIndexOf(name))
        throw new ConfigError(
          `services.resources: extraTypes: the type ${type} already exists in the jar, or is declared twice`,
        );
      const parent = name.slice(0, name.lastIndexOf('/'));
      if (parent.includes('/') && !known.includes(parent))
        throw new ConfigError(`services.resources: extraTypes: the parent of ${type} is not declared`);
    }
  },
};
