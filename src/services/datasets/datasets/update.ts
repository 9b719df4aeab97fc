import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { parseEnumValue } from '../access/parse-enum-value.ts';
import { routeCode } from '../jar.ts';
import { STORAGE_MODES } from '../model/types.ts';
import { changeDataset } from './change.ts';

/** -1 lets the service choose the number. */
export const REPLICAS = { minimum: -1, maximum: 64 } as const;

const ScaleOut = Type.Object(
  {
    autoSyncReadOnlyReplicas: Type.Optional(Type.Boolean()),
    maxReadOnlyReplicas: Type.Optional(Type.Integer(REPLICAS)),
  },
  { additionalProperties: false },
);

const Body = Type.Object(
  {
    targetStorageMode: Type.Optional(Type.String({ description: STORAGE_MODES.join(', ') })),
    queryScaleOutSettings: Type.Optional(ScaleOut),
  },
  { additionalProperties: false },
);

/** Properties missing from the body keep their values. */
export const updateDataset = routeCode(['dataset'], {
  body: Body,
  async handle(call) {
    const { targetStorageMode: written, queryScaleOutSettings: settings } = call.body;
    const mode = written === undefined ? undefined : parseEnumValue(written, STORAGE_MODES, 'targetStorageMode');
    await changeDataset(call, call.params.dataset, 'update', (dataset) => ({
      dataset: {
        ...dataset,
        targetStorageMode: mode ?? dataset.targetStorageMode,
        queryScaleOutSettings: { ...dataset.queryScaleOutSettings, ...settings },
      },
      data: omitAbsent({ targetStorageMode: mode, queryScaleOutSettings: settings }),
    }));
    return ok(undefined);
  },
});
