import type { RowId } from '../../../../src/services/platform/limits/declared.ts';
import { type Ask, good } from '../support.ts';
import { inCatalog, inMetastore, type Maker, UC } from './makers.ts';

const newModel = (number: number) => ({ catalog_name: 'main', schema_name: 'default', name: `model_${number}` });

const MODEL = 'main.default.counted';

/** Per registered model. */
const ofModel =
  (what: 'versions' | 'aliases', scope: (ask: Ask, model: string) => Promise<readonly string[]>) =>
  async (ask: Ask): Promise<Maker> => {
    const { id } = await good(ask('POST', `${UC}/models`, { ...newModel(0), name: 'counted' }));
    const create = () =>
      ask('POST', '/mlflow/unity-catalog/model-versions/create', { name: MODEL, source: 'dbfs:/counted' });
    if (what === 'versions')
      return {
        scope: await scope(ask, id),
        make: create,
        remove: ({ body }) => good(ask('DELETE', `${UC}/models/${MODEL}/versions/${body.model_version.version}`)),
      };
    await good(create());
    return {
      scope: await scope(ask, id),
      make: (number) => ask('PUT', `${UC}/models/${MODEL}/aliases/alias_${number}`, { version_num: 1 }),
      remove: ({ body }) => good(ask('DELETE', `${UC}/models/${MODEL}/aliases/${body.alias_name}`)),
    };
  };

/** For connections, credentials, locations and models. */
export const OBJECT_MAKERS: Readonly<Partial<Record<RowId, (ask: Ask) => Promise<Maker>>>> = {
  connections: inCatalog(
    'connections',
    async (ask) => [await inMetastore(ask)],
    (number) => ({ name: `connection_${number}`, connection_type: 'HTTP', options: { host: 'vendor.example' } }),
  ),
  credentials: inCatalog(
    'credentials',
    async (ask) => [await inMetastore(ask)],
    (number) => ({
      name: `credential_${number}`,
      purpose: number % 2 === 0 ? 'STORAGE' : 'SERVICE',
      aws_iam_role: { role_arn: 'arn:aws:iam::1:role/r' },
    }),
  ),
  async 'external-locations'(ask) {
    const role = { name: 'role', aws_iam_role: { role_arn: 'arn:aws:iam::1:role/r' } };
    await good(ask('POST', `${UC}/storage-credentials`, role));
    return inCatalog(
      'external-locations',
      async () => [await inMetastore(ask)],
      (number) => ({ name: `location_${number}`, url: `s3://bucket/${number}`, credential_name: 'role' }),
    )(ask);
  },
  'schema-models': inCatalog(
    'models',
    async (ask) => [await inMetastore(ask), (await good(ask('GET', `${UC}/schemas/main.default`))).schema_id],
    newModel,
  ),
  'metastore-models': inCatalog('models', async (ask) => [await inMetastore(ask)], newModel),
  'model-versions': ofModel('versions', async (ask, model) => [await inMetastore(ask), model]),
  'metastore-model-versions': ofModel('versions', async (ask) => [await inMetastore(ask)]),
  'model-aliases': ofModel('aliases', async (ask, model) => [await inMetastore(ask), model]),
};
