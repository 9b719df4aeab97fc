/** What `filled-workspace.ts` fills the catalog with, beside tables: connections, credentials, locations, models, tags and lineage. */

const UC = '/api/2.1/unity-catalog';
const NAME = 'private_one';
const MODEL = 'private_c.default.private_m';

type Post = (path: string, body: object) => Promise<Record<string, unknown>>;

const RELATION = {
  source: { model_version: { name: MODEL, version: '1' } },
  target: { external_metadata: { name: NAME } },
};

/** Gives the id of the metastore. Refusals repeat names, so it is the rest that must not be seen. */
export async function fillCatalogObjects(post: Post): Promise<string> {
  const { metastore_id: metastore } = await post(`${UC}/catalogs`, { name: 'private_c' });
  await post(`${UC}/connections`, { name: NAME, connection_type: 'HTTP', options: { host: 'ours-host' } });
  const role = { aws_iam_role: { role_arn: 'ours-role' } };
  await post(`${UC}/credentials`, { name: NAME, purpose: 'STORAGE', ...role });
  await post(`${UC}/external-locations`, {
    name: NAME,
    url: 's3://private/one',
    comment: 'ours-location',
    credential_name: NAME,
  });
  await post(`${UC}/models`, {
    catalog_name: 'private_c',
    schema_name: 'default',
    name: 'private_m',
    comment: 'ours-model',
  });
  await post('/mlflow/unity-catalog/model-versions/create', { name: MODEL, source: 'ours-source' });
  await post('/mlflow/unity-catalog/registered-models/alias', { name: MODEL, alias: NAME, version: '1' });
  await post(`${UC}/entity-tag-assignments`, {
    entity_type: 'models',
    entity_name: MODEL,
    tag_key: 'private_tag',
    tag_value: 'ours-value',
  });
  await post('/lineage-tracking/external-metadata', { name: NAME, system_type: 'KAFKA', entity_type: 'ours-topic' });
  await post('/lineage-tracking/external-lineage', RELATION);
  return String(metastore);
}

const OURS =
  /^\/(?:unity-catalog\/(?:connections|credentials|storage-credentials|external-locations|models|metastores\/.*systemschemas|artifact|entity-tag|temporary|validate)|mlflow\/unity-catalog|lineage-tracking|accounts\/.*\/storage-credentials)/;

export const isOfCatalog = (path: string): boolean => OURS.test(path);

/** What a parameter of a path stands for. */
export function catalogParameter(path: string, name: string, metastore: string): string {
  const others: Readonly<Record<string, string>> = {
    metastore_id: metastore,
    full_name: path.includes('/models') ? MODEL : NAME,
    version: '1',
    entity_type: 'models',
    entity_name: MODEL,
    tag_key: 'private_tag',
    artifact_type: 'LIBRARY_JAR',
    schema_name: 'access',
  };
  return others[name] ?? NAME;
}

/** A body that would change it, or make something beside it. */
export const catalogBody = (path: string): Record<string, unknown> => ({
  ...(path.includes('lineage') && RELATION),
  ...(path.endsWith('model-versions/create') && { source: 'theirs' }),
  name: path.includes('mlflow') && !path.endsWith('registered-models/create') ? MODEL : 'theirs',
  ...(path.endsWith('registered-models/create') && { name: 'main.default.theirs' }),
  ...(path.endsWith('/models') && { catalog_name: 'main', schema_name: 'default' }),
  connection_type: 'HTTP',
  options: { host: 'theirs' },
  ...(path.endsWith('credentials') && { aws_iam_role: { role_arn: 'theirs' } }),
  credential_info: { name: 'theirs-too', aws_iam_role: { role_arn: 'theirs' } },
  url: 's3://theirs',
  credential_name: NAME,
  storage_credential_name: NAME,
  system_type: 'KAFKA',
  entity_type: path.includes('metadata') ? 'theirs' : 'models',
  entity_name: MODEL,
  tag_key: 'theirs',
  tag_value: 'theirs',
  key: 'k',
  value: 'v',
  version: '1',
  version_num: 1,
  alias: path.includes('mlflow') ? NAME : undefined,
  description: 'theirs',
  comment: 'theirs',
  artifact_matchers: [],
  operation: path.includes('model-versions') ? 'MODEL_VERSION_READ' : 'PATH_READ',
  filter: `name = '${MODEL}'`,
  update_mask: path.includes('tag') ? 'tag_value' : 'description',
  'object_info.external_metadata.name': NAME,
  lineage_direction: 'UPSTREAM',
});
