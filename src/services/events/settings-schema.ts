import { Type } from 'typebox';
import type { SettingsRules } from '../../kernel/service/index.ts';
import { settingsRules as rulesOf } from '../../kernel/settings/index.ts';
import { connectionsOf } from './destinations/connections.ts';
import { settingsOf } from './settings.ts';
import { EVENT_SETTINGS } from './settings-table.ts';

const Optional = Type.Optional;

/** `services.events` in cloudjar.config.json. */
const PROPERTIES = {
  /** Names of event subscriptions have letters and digits only, as the written interface says; hyphens are taken otherwise. */
  strictNames: Optional(Type.Boolean()),
  /**
   * What stands for resources that destinations name: a resource id (of the entity, or of the account or namespace that it is in) to
   * a connection: `UseDevelopmentStorage=true` or another storage connection string, `amqp://…`, `http(s)://…` of a function.
   */
  connections: Optional(
    Type.Record(
      Type.String(),
      Type.Union([
        Type.String({ minLength: 1 }),
        Type.Object(
          {
            url: Type.String({ minLength: 1 }),
            /** Of a broker: where to send instead of the entity's name, `/exchange/orders` say. */
            address: Optional(Type.String({ minLength: 1 })),
          },
          { additionalProperties: false },
        ),
      ]),
    ),
  ),
  /** What listeners of hybrid connections sign with; made by the jar unless given, and told by its control API. */
  relayKey: Optional(Type.String({ minLength: 16 })),
  /** How many events are kept with what became of them; 10,000 unless given, 0 for none. */
  traces: Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
};

/** Without those that can be changed at run time. */
export const SettingsSchema = Type.Object(PROPERTIES);

export const settingsRules: SettingsRules = rulesOf(EVENT_SETTINGS, {
  properties: PROPERTIES,
  check: (jar) => void connectionsOf(settingsOf(jar)),
});
