import { Type } from 'typebox';
import type { SettingsRules } from '../../kernel/service/index.ts';

const Optional = Type.Optional;

/** `services.containers` in cloudjar.config.json. */
export const SettingsSchema = Type.Object(
  {
    /** Where the Docker Engine API is: a path, `unix://…` or `http://…`; found by itself when absent. */
    socket: Optional(Type.String({ minLength: 1 })),
    /** The end of every group's fully qualified name. */
    dnsSuffix: Optional(Type.String({ pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' })),
    /** Where ports of Public groups are published: `loopback` gives each group a loopback address of its own, an address is shared by all. */
    publish: Optional(Type.String({ minLength: 1 })),
    /** Folders that stand for file shares: `account/share` to a path. */
    shares: Optional(Type.Record(Type.String(), Type.String({ minLength: 1 }))),
    /** Between asking a process to end and forcing it. */
    stopGraceSeconds: Optional(Type.Integer({ minimum: 0, maximum: 3600 })),
    /** A call to the engine that has waited so long has it asked by a ping, which it must answer within the same time. */
    timeoutSeconds: Optional(Type.Integer({ minimum: 1, maximum: 3600 })),
    /** Whether `privileged` and added capabilities are granted; only on loopback unless said. */
    allowPrivileged: Optional(Type.Boolean()),
    kubernetes: Optional(
      Type.Object(
        {
          /** As `kubectl` finds them when absent. */
          kubeconfig: Optional(Type.String({ minLength: 1 })),
          context: Optional(Type.String({ minLength: 1 })),
          namespace: Optional(Type.String({ pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export const settingsRules: SettingsRules = { schema: SettingsSchema };
