import { Type } from 'typebox';
import { settingsRules as rulesFor } from '../../kernel/settings/index.ts';
import { MAIL_SETTINGS } from './settings-table.ts';

const Optional = Type.Optional;
const Text = Type.String({ minLength: 1 });

/** Rules for `services.mail` in cloudjar.config.json. */
export const settingsRules = rulesFor(MAIL_SETTINGS, {
  properties: {
    relay: Optional(
      Type.Object(
        {
          host: Text,
          port: Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
          tls: Optional(Type.Enum(['off', 'opportunistic', 'required', 'implicit'])),
          user: Optional(Text),
          password: Optional(Text),
          ca: Optional(Type.Array(Text)),
          name: Optional(Text),
        },
        { additionalProperties: false },
      ),
    ),
    catchAll: Optional(Text),
  },
});
