import type { Json } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { checkCron } from '../engine/cron.ts';
import { completeFields, type FieldRule, type FieldRules, readFields } from '../engine/fields.ts';
import { listOf, membersOf, numberOf, textOf, textsOf } from '../engine/json.ts';
import { errors } from '../errors.ts';
import { zoneOf } from '../jobs/schedule/zone.ts';

/** The settings of a pipeline: accepted values and defaults. */

const text: FieldRule = { type: 'string', most: 4096 };
const needed: FieldRule = { type: 'string', required: true, least: 1, most: 4096 };
const flag: FieldRule = { type: 'boolean' };
const object: FieldRule = { type: 'object' };
const map: FieldRule = { type: 'object' };
const texts = (most: number): FieldRule => ({ type: 'array', most, items: text });
const withMembers = (members: FieldRules): FieldRule => ({ type: 'object', members });

const MOST_LIBRARIES = 250;
const MOST_CLUSTERS = 10;
const MOST_NOTIFICATIONS = 100;
const MOST_ADDRESSES = 100;
const MOST_TAGS = 25;
const MOST_ENTRIES = 1000;

export const ALERTS = ['on-update-success', 'on-update-failure', 'on-update-fatal-failure', 'on-flow-failure'] as const;

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];

const CLUSTER: FieldRules = {
  label: { type: 'string', words: ['default', 'maintenance', 'updates'], default: 'default' },
  num_workers: { type: 'integer', least: 0, most: 100_000 },
  autoscale: withMembers({
    min_workers: { type: 'integer', required: true, least: 0, most: 100_000 },
    max_workers: { type: 'integer', required: true, least: 1, most: 100_000 },
    mode: { type: 'string', words: ['ENHANCED', 'LEGACY'] },
  }),
  node_type_id: text,
  driver_node_type_id: text,
  instance_pool_id: text,
  driver_instance_pool_id: text,
  policy_id: text,
  apply_policy_default_values: flag,
  enable_local_disk_encryption: flag,
  custom_tags: map,
  spark_conf: map,
  spark_env_vars: map,
  ssh_public_keys: texts(10),
  init_scripts: { type: 'array', most: 100, items: object },
  cluster_log_conf: object,
  aws_attributes: object,
  azure_attributes: object,
  gcp_attributes: object,
};

const LIBRARY: FieldRules = {
  notebook: withMembers({ path: needed }),
  file: withMembers({ path: needed }),
  glob: withMembers({ include: needed }),
  jar: text,
  whl: text,
  maven: withMembers({ coordinates: needed, repo: text, exclusions: texts(100) }),
};

const FIELDS: FieldRules = {
  budget_policy_id: text,
  usage_policy_id: text,
  catalog: { type: 'string', least: 1, most: 255 },
  channel: text,
  clusters: { type: 'array', most: MOST_CLUSTERS, items: withMembers(CLUSTER) },
  configuration: map,
  continuous: { type: 'boolean', default: false },
  deployment: withMembers({ kind: { type: 'string', words: ['BUNDLE'], required: true }, metadata_file_path: text }),
  development: { type: 'boolean', default: false },
  edition: text,
  environment: withMembers({ dependencies: texts(MOST_ENTRIES) }),
  event_log: withMembers({ catalog: text, schema: text, name: needed }),
  filters: withMembers({ include: texts(MOST_ENTRIES), exclude: texts(MOST_ENTRIES) }),
  gateway_definition: withMembers({
    connection_id: text,
    connection_name: needed,
    gateway_storage_catalog: needed,
    gateway_storage_name: text,
    gateway_storage_schema: needed,
  }),
  ingestion_definition: object,
  libraries: { type: 'array', most: MOST_LIBRARIES, items: withMembers(LIBRARY) },
  notifications: {
    type: 'array',
    most: MOST_NOTIFICATIONS,
    items: withMembers({
      email_recipients: { type: 'array', most: MOST_ADDRESSES, items: { type: 'string', most: 320 } },
      alerts: { type: 'array', most: ALERTS.length, items: { type: 'string', words: ALERTS } },
    }),
  },
  parameters: map,
  photon: { type: 'boolean', default: false },
  restart_window: withMembers({
    start_hour: { type: 'integer', required: true, least: 0, most: 23 },
    days_of_week: { type: 'array', most: 7, items: { type: 'string', words: DAYS } },
    time_zone_id: text,
  }),
  root_path: text,
  schema: { type: 'string', least: 1, most: 255 },
  serverless: flag,
  storage: text,
  tags: map,
  target: { type: 'string', least: 1, most: 255 },
  trigger: withMembers({
    cron: withMembers({ quartz_cron_schedule: { ...needed, most: 500 }, timezone_id: { ...needed, most: 100 } }),
    manual: object,
  }),
};

/** Members of a request to create, replace or clone that are not settings. */
const REQUEST: FieldRules = {
  name: { type: 'string', most: 256 },
  run_as: object,
  allow_duplicate_names: flag,
  dry_run: flag,
  expected_last_modified: { type: 'integer' },
};

export interface SentPipeline {
  readonly name: string | undefined;
  readonly spec: JsonMembers;
  readonly runAs: Json | undefined;
  readonly allowsDuplicates: boolean;
  readonly isDryRun: boolean;
  readonly expectedLastModified: number | undefined;
}

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/**
 * The settings in a body, validated and complete. `before`: values for settings that the body omits, such as those of the origin of a
 * clone.
 */
export function readPipeline(body: unknown, before: JsonMembers = {}): SentPipeline {
  const request = readFields(REQUEST, body ?? {});
  const said = readFields(FIELDS, body ?? {});
  const spec = completeFields(FIELDS, { ...before, ...said });
  const checked = { ...spec, ...words(spec) };
  checkSpec(checked);
  return {
    name: textOf(request.name),
    spec: checked,
    runAs: request.run_as,
    allowsDuplicates: request.allow_duplicate_names === true,
    isDryRun: request.dry_run === true,
    expectedLastModified: numberOf(request.expected_last_modified),
  };
}

/** Enumeration values, which clients send in any case. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  edition: ['ADVANCED', 'CORE', 'PRO'],
  channel: ['CURRENT', 'PREVIEW'],
};

/** The first value is the default. */
function words(spec: JsonMembers): JsonMembers {
  return Object.fromEntries(
    Object.entries(WORDS).map(([name, known]) => {
      const sent = textOf(spec[name]) ?? (known[0] as string);
      const word = known.find((each) => each === sent.toUpperCase());
      if (word === undefined)
        throw invalid(`The field '${name}' must be one of ${known.join(', ')}, not '${sent.slice(0, 100)}'.`);
      return [name, word];
    }),
  );
}

function checkSpec(spec: JsonMembers): void {
  checkPlace(spec);
  checkLibraries(spec);
  checkClusters(spec);
  checkTiming(spec);
  checkMap('configuration', spec.configuration, MOST_ENTRIES);
  checkMap('parameters', spec.parameters, MOST_ENTRIES);
  checkMap('tags', spec.tags, MOST_TAGS);
  for (const each of listOf(spec.notifications))
    for (const address of textsOf(membersOf(each).email_recipients))
      if (!/^[^\s@]+@[^\s@]+$/.test(address))
        throw invalid(`The field 'notifications' has '${address.slice(0, 100)}', which is not an e-mail address.`);
}

/** Validates the place where tables are published. */
function checkPlace({ schema, target, catalog, storage }: JsonMembers): void {
  for (const [name, value] of Object.entries({ schema, target }))
    if (typeof value === 'string' && !/^\w+$/.test(value))
      throw invalid(
        `The field '${name}' may contain only letters, digits and underscores, not '${value.slice(0, 100)}'.`,
      );
  if (schema !== undefined && target !== undefined)
    throw invalid("Only one of the fields 'schema' and 'target' may be given.");
  if (catalog !== undefined && storage !== undefined)
    throw invalid("Only one of the fields 'catalog' and 'storage' may be given.");
}

function checkLibraries({ libraries, ingestion_definition: ingestion }: JsonMembers): void {
  const all = listOf(libraries).map(membersOf);
  for (const [index, library] of all.entries())
    if (Object.keys(library).length !== 1)
      throw invalid(`The field 'libraries[${index}]' must have exactly one of ${Object.keys(LIBRARY).join(', ')}.`);
  const has = (name: string): boolean => all.some((library) => library[name] !== undefined);
  if (has('glob') && (has('notebook') || has('file')))
    throw invalid("The field 'libraries' may have 'glob' or 'notebook' and 'file', not both.");
  if (ingestion !== undefined && all.length > 0)
    throw invalid("The field 'ingestion_definition' cannot be used together with 'libraries'.");
}

function checkClusters({ clusters, serverless }: JsonMembers): void {
  const all = listOf(clusters).map(membersOf);
  if (serverless === true && all.length > 0)
    throw invalid('You cannot provide cluster settings when using serverless compute.');
  const labels = new Set<string>();
  for (const [index, { label, num_workers: workers, autoscale }] of all.entries()) {
    if (labels.has(String(label))) throw invalid(`The field 'clusters' has the label '${String(label)}' twice.`);
    labels.add(String(label));
    if (workers !== undefined && autoscale !== undefined)
      throw invalid(`The field 'clusters[${index}]' may have one of num_workers and autoscale.`);
    const { min_workers: least = 0, max_workers: most = 0 } = membersOf(autoscale);
    if (Number(least) > Number(most))
      throw invalid(`The field 'clusters[${index}].autoscale' has more min_workers than max_workers.`);
  }
}

function checkTiming({ trigger, continuous, restart_window: restart }: JsonMembers): void {
  const { cron, manual } = membersOf(trigger);
  if (cron !== undefined && manual !== undefined)
    throw invalid("The field 'trigger' must have one of cron and manual.");
  const schedule = scheduleOf({ trigger });
  if (schedule) checkCron('trigger.cron.quartz_cron_schedule', schedule.expression, schedule.timezone);
  if (schedule && continuous === true) throw invalid("A continuous pipeline has no 'trigger.cron'.");
  const zone = textOf(membersOf(restart).time_zone_id);
  if (zone !== undefined && !zoneOf(zone)) throw invalid(`There is no time zone '${zone.slice(0, 100)}'.`);
}

/** The schedule on which a pipeline starts updates. */
export function scheduleOf({ trigger }: JsonMembers): { expression: string; timezone: string } | undefined {
  const { quartz_cron_schedule: expression, timezone_id: timezone } = membersOf(membersOf(trigger).cron);
  return typeof expression === 'string' && typeof timezone === 'string' ? { expression, timezone } : undefined;
}

function checkMap(name: string, value: Json | undefined, most: number): void {
  const entries = Object.entries(membersOf(value));
  if (entries.length > most) throw invalid(`The field '${name}' must have at most ${most} entries.`);
  for (const [key, each] of entries)
    if (typeof each !== 'string')
      throw errors.MALFORMED_REQUEST({
        reason: `Could not parse request object: the field '${name}.${key.slice(0, 100)}' must be a string.`,
      });
}
