import { Type } from 'typebox';
import type { SettingsRules } from '../../kernel/service/index.ts';

const Optional = Type.Optional;

/** `services.containers` in cloudjar.config.json. */
export const SettingsSchema = Type.Object(
  {
    /** Address of the Docker Engine API: a path, `unix://…` or `http://…`; detected if missing. */
    socket: Optional(Type.String({ minLength: 1 })),
    /** Suffix of every group's fully qualified name. */
    dnsSuffix: Optional(Type.String({ pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' })),
    /**
     * Where ports of Public groups are published: `loopback` gives each group its own loopback address; a given address is shared by all
     * groups.
     */
    publish: Optional(Type.String({ minLength: 1 })),
    /** Local folders that serve as file shares: `account/share` to a path. */
    shares: Optional(Type.Record(Type.String(), Type.String({ minLength: 1 }))),
    /** Time between asking a process to end and killing it. */
    stopGraceSeconds: Optional(Type.Integer({ minimum: 0, maximum: 3600 })),
    /** After waiting this long for a call, the jar pings the engine, which must answer the ping within the same time. */
    timeoutSeconds: Optional(Type.Integer({ minimum: 1, maximum: 3600 })),
    /** Whether `privileged` and added capabilities are granted. Default: only if the jar listens on loopback. */
    allowPrivileged: Optional(Type.Boolean()),
    kubernetes: Optional(
      Type.Object(
        {
          /** Defaults to the file that `kubectl` uses. */
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
