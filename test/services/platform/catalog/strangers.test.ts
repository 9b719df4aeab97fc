import { beforeEach, expect, it } from 'vitest';
import { OPERATIONS } from '../../../../src/services/platform/routes.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person } from '../support.ts';
import { type People, people, ROLE, UC } from './people.ts';

const MODEL = 'ours.default.ours_model';
const OURS =
  /^\/(?:unity-catalog\/(?:connections|credentials|storage-credentials|external-locations|models|metastores\/\{metastore_id\}\/systemschemas|artifact|entity-tag|temporary|validate)|mlflow\/unity-catalog|lineage-tracking)/;

onAnyStore('data platform: objects of the catalog and users without grants', (bench) => {
  let all: People;

  beforeEach(async () => {
    all = await people(bench);
    const { ask } = all;
    await good(ask('POST', `${UC}/catalogs`, { name: 'ours' }));
    await good(ask('POST', `${UC}/connections`, { name: 'ours_one', connection_type: 'HTTP', options: { host: 'h' } }));
    await good(ask('POST', `${UC}/storage-credentials`, { name: 'ours_one', ...ROLE }));
    await good(
      ask('POST', `${UC}/external-locations`, { name: 'ours_one', url: 's3://ours/one', credential_name: 'ours_one' }),
    );
    await good(ask('POST', `${UC}/models`, { catalog_name: 'ours', schema_name: 'default', name: 'ours_model' }));
    await good(ask('POST', '/mlflow/unity-catalog/model-versions/create', { name: MODEL, source: 'ours' }));
    await good(ask('PUT', `${UC}/models/${MODEL}/aliases/ours_one`, { version_num: 1 }));
    await good(
      ask('POST', `${UC}/entity-tag-assignments`, { entity_type: 'models', entity_name: MODEL, tag_key: 'ours_one' }),
    );
    const metadata = { name: 'ours_one', system_type: 'KAFKA', entity_type: 'ours' };
    await good(ask('POST', '/lineage-tracking/external-metadata', metadata));
    await good(ask('POST', '/lineage-tracking/external-lineage', RELATION));
    await good(ask('PATCH', `${UC}/metastores/${all.metastore}`, { external_access_enabled: true }));
  });

  const RELATION = {
    source: { model_version: { name: MODEL, version: '1' } },
    target: { external_metadata: { name: 'ours_one' } },
  };

  const PARAMS: Readonly<Record<string, string>> = {
    name: 'ours_one',
    alias: 'ours_one',
    version: '1',
    tag_key: 'ours_one',
    entity_type: 'models',
    entity_name: MODEL,
    artifact_type: 'LIBRARY_JAR',
    schema_name: 'access',
  };

  const BODY = {
    ...RELATION,
    name: MODEL,
    version: '1',
    version_num: 1,
    alias: 'ours_one',
    key: 'k',
    value: 'v',
    description: 'theirs',
    comment: 'theirs',
    options: { host: 'theirs' },
    source_: 'x',
    operation: 'PATH_READ',
    url: 's3://ours/one/x',
    credential_name: 'ours_one',
    storage_credential_name: 'ours_one',
    entity_type: 'models',
    entity_name: MODEL,
    tag_key: 'theirs',
    tag_value: 'theirs',
    artifact_matchers: [],
    filter: `name = '${MODEL}'`,
    table_name: 'ours.default.t',
  };

  const operations = OPERATIONS.filter(({ path }) => OURS.test(path));

  /** All operations by a caller from another account, on objects of this account. */
  async function everything(by: Ask): Promise<readonly { at: string; status: number; text: string }[]> {
    const replies = [];
    for (const { method, path, versions = ['2.0'] } of operations) {
      const at = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === 'metastore_id'
          ? all.metastore
          : name === 'full_name' && path.includes('/models')
            ? MODEL
            : (PARAMS[name] ?? 'ours_one'),
      );
      const query = `name=${MODEL}&version=1&alias=ours_one&filter=${encodeURIComponent(BODY.filter)}&update_mask=tag_value&object_info.external_metadata.name=ours_one&lineage_direction=UPSTREAM&table_name=ours.default.t&column_name=a`;
      const reply = await by(method, `/api/${versions.at(-1)}${at}?${query}`, method === 'GET' ? undefined : BODY);
      replies.push({ at: `${method} ${path}`, status: reply.status, text: reply.text });
    }
    return replies;
  }

  const LISTS = [
    'connections',
    'credentials',
    'external-locations',
    'models?include_aliases=true',
    `models/${MODEL}/versions`,
  ];

  const seen = async () => {
    const paths = [
      ...LISTS.map((path) => `${UC}/${path}`),
      `${UC}/entity-tag-assignments/models/${MODEL}/tags`,
      '/lineage-tracking/external-metadata',
      '/lineage-tracking/external-lineage?object_info.external_metadata.name=ours_one&lineage_direction=UPSTREAM',
      `${UC}/metastores/${all.metastore}/systemschemas`,
      `${UC}/artifact-allowlists/LIBRARY_JAR`,
    ];
    return Promise.all(paths.map(async (path) => good(all.ask('GET', path))));
  };

  it('neither a user of the workspace nor a user of another account sees or changes them', async () => {
    expect(operations.length).toBeGreaterThan(55);
    const before = await seen();
    for (const by of [all.other, await person(bench, 'other')]) {
      const replies = await everything(by);
      expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
      const told = replies.filter(({ status, text }) => status < 300 && /ours[_.]/.test(text));
      expect(told).toEqual([]);
    }
    expect(await seen()).toEqual(before);
  });

  it('the same calls have an effect for an administrator', async () => {
    const replies = await everything(all.ask);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    expect(replies.filter(({ status }) => status < 300).length).toBeGreaterThan(25);
  });
});
