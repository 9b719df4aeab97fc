import { beforeEach, expect, it } from 'vitest';
import { SEED_TENANT } from '../../../../src/kernel/auth/index.ts';
import { accountIdOf } from '../../../../src/services/platform/accounts/found-account.ts';
import { platformRoutes } from '../../../../src/services/platform/routes.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, person, withoutRates } from '../support.ts';

/** Names of members of bodies and queries, all of which every route gets. */
const FIELDS =
  `name path job_id run_id tasks settings new_settings content contents format language cluster_id cluster_name scope key string_value
  principal permission access_control_list comment lifetime_seconds token_id label list_type ip_addresses schemas Operations userName displayName
  members emails url provider definition query query_text display_name spark_version node_type_id num_workers autoscale libraries script position
  enabled cluster_size handle data source_path destination_path schedule parameters options serialized_dashboard warehouse_id instance_pool_id
  instance_pool_name command contextId clusterId limit reason git_provider personal_access_token branch offset length config rerun_tasks custom_tags
  spark_conf edition workspace_name page_token max_results update_mask trigger snippet alert visualization policy lifetime setting etag condition
  value type filter count startIndex attributes sortBy keys text dashboard_id query_id width tags visualization lakeview_dashboard dashboard
  connection_type aws_iam_role credential_name external_location_name operation purpose isolation_mode properties target entity_type entity_name
  tag_key tag_value table_id system_type credential_info lineage_direction artifact_matchers depth
  version stage stages alias source run_link new_name events event http_url_spec job_spec model_name creator order_by status id description
  resource_id group_id domain_names network_policy_id egress region catalog clusters notifications configuration
  clean_room remote_detailed_info asset asset_type notebook notebook_review auto_approval_rule output_catalog catalog_name owner task_type`
    .trim()
    .split(/\s+/);

const NUL = 'a\u0000b';
const LONE = 'a\ud800b';
const DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`;

const VALUES: readonly unknown[] = [
  NUL,
  LONE,
  '',
  '__proto__',
  '-1',
  '99999999999999999999999',
  'x'.repeat(3000),
  null,
  true,
  -1,
  1.5,
  1e308,
  [],
  {},
  [null],
  [NUL],
  { [NUL]: NUL },
  { constructor: 1, toString: 1 },
  [{ value: NUL, name: LONE }],
];

const all = (value: unknown): object => Object.fromEntries(FIELDS.map((name) => [name, value]));

/** A body with well-formed texts for names and hostile ones within. */
const PLAUSIBLE = {
  ...all(NUL),
  tasks: [{ task_key: 'a', spark_jar_task: { main_class_name: NUL, parameters: [LONE] } }],
  query: { display_name: NUL, query_text: LONE },
  alert: { display_name: LONE },
  list_type: 'BLOCK',
  ip_addresses: ['10.0.0.1'],
  git_provider: 'gitHub',
  userName: `${LONE}@vendor.example`,
  schemas: [],
  cluster_size: 'Small',
  spark_version: '16.4.x-scala2.12',
  node_type_id: 'Standard_DS3_v2',
  num_workers: 0,
  definition: '{}',
  enabled: true,
  position: 0,
  script: 'YQ==',
  lifetime_seconds: 60,
};

const BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '1',
  '"x"',
  '{',
  DEEP,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '{"__proto__":{"tasks":5}}',
  JSON.stringify(PLAUSIBLE),
  JSON.stringify({ ...PLAUSIBLE, ...all(LONE), tasks: [], num_workers: 0, enabled: true }),
  ...VALUES.map((value) => JSON.stringify(all(value))),
];

const SEGMENTS = ['1', NUL, '__proto__', 'x'.repeat(3000), '..', '-1'];

/** All fields with the same value. */
const QUERIES: readonly string[] = VALUES.map((value) => {
  const text = encodeURIComponent(JSON.stringify(value).slice(0, 60).toWellFormed());
  return FIELDS.map((name) => `${name}=${text}`).join('&');
});

/** The same code is found at other addresses and in other versions. */
const ONE_OF_EACH = platformRoutes.filter(({ operation }) => !/_(?:bare\d*|2_\d)$/.test(operation));

const ACCOUNT = accountIdOf(SEED_TENANT);

/** What a route is sent, each once: every segment is the same address where the path has no parameter. */
function callsOf({ method, path }: (typeof platformRoutes)[number]) {
  const at = (segment: string): string =>
    `/${path.replace('{account_id}', ACCOUNT).replace(/\{\w+\*?\}/g, () => encodeURIComponent(segment))}`;
  const addresses = [...new Set(SEGMENTS.map(at))];
  return method === 'GET' || method === 'HEAD'
    ? [...addresses, ...QUERIES.map((query) => `${at('1')}?${query}`)].map((each) => [each, undefined] as const)
    : [...addresses.map((each) => [each, '{}'] as const), ...BODIES.map((body) => [at('1'), body] as const)];
}

/** By the first word of their address, so that the time of a test does not grow with the platform. */
const AREAS = [...Map.groupBy(ONE_OF_EACH, ({ path }) => /^\/(?:api\/[\d.]+\/)?([^/]+)/.exec(path)?.[1] ?? path)];

onAnyStore('data platform: whatever is sent', (bench) => {
  let ask: Ask | undefined;

  beforeEach(async () => {
    if (ask) return;
    await withoutRates(bench);
    ask = await person(bench);
    await ask('GET', '/preview/scim/v2/Me');
  });

  it.each(AREAS)('no operation of %s fails by an error of its own', async (_area, routes) => {
    const failed: string[] = [];
    for (const route of routes) {
      for (const [address, body] of callsOf(route)) {
        const { status, text } = await ask!(route.method, address, body);
        // Uploads of artifacts in parts are answered so, and clients then send a file as one.
        if (status >= 500 && status !== 501)
          failed.push(`${route.method} ${address.slice(0, 100)} ${body?.slice(0, 100)}: ${text.slice(0, 200)}`);
      }
    }
    expect(failed).toEqual([]);
  });
});
