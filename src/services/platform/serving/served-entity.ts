import type { Vault } from '../../../kernel/auth/index.ts';
import { isObject, type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { errors } from '../errors.ts';
import type { ServedEntity } from './collections.ts';
import { readExternalModel } from './external-model.ts';

/** Served entities in requests. */

/** Names of endpoints and entities: at most 63 letters, digits, dashes and underscores. */
const NAME = /^[A-Za-z0-9_-]{1,63}$/;

export const isServingName = (name: string): boolean => NAME.test(name);

export function checkServingName(what: string, name: string): string {
  if (isServingName(name)) return name;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `The ${what} must be 1 to 63 letters, digits, dashes and underscores, not '${name.slice(0, 100)}'.`,
  });
}

/** Minimum and maximum number of concurrent requests of each workload size. */
const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  Small: [0, 4],
  Medium: [8, 16],
  Large: [16, 64],
};

const WORKLOAD_TYPES = [
  'CPU',
  'CPU_MEDIUM',
  'CPU_LARGE',
  'GPU_SMALL',
  'GPU_MEDIUM',
  'GPU_LARGE',
  'GPU_XLARGE',
  'MULTIGPU_SMALL',
  'MULTIGPU_MEDIUM',
  'MULTIGPU_LARGE',
  'MULTIGPU_XLARGE',
];

/** Provisioned concurrency is a multiple of this. */
const CONCURRENCY_STEP = 4;

const amount = { type: 'integer', least: 0, most: 1_000_000_000 } as const;
const title = { type: 'string', least: 1, most: 255 } as const;

const COMMON: FieldRules = {
  name: { type: 'string', least: 1, most: 1000 },
  environment_vars: { type: 'object' },
  instance_profile_arn: { type: 'string', most: 1000 },
  max_provisioned_concurrency: amount,
  min_provisioned_concurrency: amount,
  max_provisioned_throughput: amount,
  min_provisioned_throughput: amount,
  provisioned_model_units: amount,
  scale_to_zero_enabled: { type: 'boolean' },
  workload_size: { type: 'string', words: Object.keys(SIZES) },
  workload_type: { type: 'string', words: WORKLOAD_TYPES },
};

const ENTITY: FieldRules = {
  ...COMMON,
  entity_name: title,
  entity_version: { type: 'string', least: 1, most: 100 },
  external_model: { type: 'object' },
};

/** The older form of an entity. */
const MODEL: FieldRules = {
  ...COMMON,
  model_name: { ...title, required: true },
  model_version: { type: 'string', least: 1, most: 100, required: true },
  scale_to_zero_enabled: { type: 'boolean', required: true },
};

/** Fields of endpoints with provisioned throughput. */
const UNITS: FieldRules = {
  name: { type: 'string', least: 1, most: 1000 },
  entity_name: { ...title, required: true },
  entity_version: { type: 'string', least: 1, most: 100 },
  provisioned_model_units: { type: 'integer', required: true, least: 0, most: 1_000_000 },
};

export type EntityForm = 'served_entities' | 'served_models' | 'pt';

const FORMS: Readonly<Record<EntityForm, FieldRules>> = { served_entities: ENTITY, served_models: MODEL, pt: UNITS };

export type EntityDraft = Pick<ServedEntity, 'name' | 'fields' | 'concurrency' | 'sealed' | 'model'>;

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/** `at` is the prefix of field names in messages: `config.served_entities[0].`. */
export function readEntity(vault: Pick<Vault, 'seal'>, form: EntityForm, sent: unknown, at: string): EntityDraft {
  const rules = FORMS[form];
  const read = completeFields(rules, readFields(rules, sent, at), at);
  const { name: given, model_name, model_version, external_model, ...rest } = read;
  const said: JsonMembers = omitAbsent({
    ...rest,
    entity_name: rest.entity_name ?? model_name,
    entity_version: rest.entity_version ?? model_version,
  });
  const external =
    external_model === undefined ? undefined : readExternalModel(vault, external_model, `${at}external_model.`);
  if ((external === undefined) === (said.entity_name === undefined))
    throw invalid(`Exactly one of ${at}entity_name and ${at}external_model must be given.`);
  checkVariables(said.environment_vars, at);
  const name = checkServingName(`field '${at}name'`, String(given ?? usualName(said, external?.model)));
  const sized = external ? said : withUsualSize(said);
  const concurrency = concurrencyOf(sized, at);
  return {
    name,
    fields: { ...sized, ...(external && { external_model: external.model }) },
    ...(concurrency !== undefined && { concurrency }),
    ...(external?.sealed !== undefined && { sealed: external.sealed }),
  };
}

/** Characters that a name cannot contain become dashes: models of a catalog have names with dots. */
function usualName({ entity_name, entity_version }: JsonMembers, model: JsonMembers | undefined): string {
  const parts = model ? [model.name] : [entity_name, entity_version];
  return parts
    .filter((part) => part !== undefined)
    .join('-')
    .replace(/[^A-Za-z0-9_-]/g, '-')
    .slice(0, 63);
}

const SAYS_SIZE = [
  'workload_size',
  'min_provisioned_concurrency',
  'max_provisioned_concurrency',
  'min_provisioned_throughput',
  'max_provisioned_throughput',
  'provisioned_model_units',
];

const withUsualSize = (said: JsonMembers): JsonMembers => ({
  ...said,
  ...(SAYS_SIZE.every((name) => said[name] === undefined) && { workload_size: 'Small' }),
  workload_type: said.workload_type ?? 'CPU',
  scale_to_zero_enabled: said.scale_to_zero_enabled ?? false,
});

function concurrencyOf(fields: JsonMembers, at: string): number | undefined {
  const { workload_size: size, min_provisioned_concurrency: least, max_provisioned_concurrency: most } = fields;
  checkRange(fields, at, 'throughput');
  if (least === undefined && most === undefined) return size === undefined ? undefined : SIZES[String(size)]?.[1];
  if (size !== undefined) throw invalid(`${at}workload_size and provisioned concurrency must not be given together.`);
  checkRange(fields, at, 'concurrency');
  for (const [name, value] of Object.entries({ min: least, max: most })) {
    if (value === undefined || Number(value) % CONCURRENCY_STEP === 0) continue;
    throw invalid(
      `The field '${at}${name}_provisioned_concurrency' must be a multiple of ${CONCURRENCY_STEP}, not ${value}.`,
    );
  }
  const provisioned = Number(most ?? least);
  if (provisioned === 0)
    throw invalid(`The field '${at}max_provisioned_concurrency' must be at least ${CONCURRENCY_STEP}.`);
  return provisioned;
}

function checkRange(fields: JsonMembers, at: string, what: 'throughput' | 'concurrency'): void {
  const [least, most] = [fields[`min_provisioned_${what}`], fields[`max_provisioned_${what}`]];
  if (least === undefined || most === undefined || Number(least) <= Number(most)) return;
  throw invalid(
    `The field '${at}min_provisioned_${what}' (${least}) must not exceed 'max_provisioned_${what}' (${most}).`,
  );
}

const MOST_VARIABLES = 100;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;
const LONGEST_VALUE = 10_000;
/** Limit for the names and values of all variables: every query reads the document that contains them. */
const MOST_CHARACTERS = 65_536;

function checkVariables(sent: unknown, at: string): void {
  if (!isObject(sent)) return;
  const entries = Object.entries(sent);
  const where = `${at}environment_vars`;
  if (entries.length > MOST_VARIABLES)
    throw invalid(`The field '${where}' must have at most ${MOST_VARIABLES} variables.`);
  for (const [name, value] of entries) {
    if (!VARIABLE.test(name)) throw invalid(`'${name.slice(0, 100)}' in '${where}' is not a valid variable name.`);
    if (typeof value !== 'string') throw invalid(`The field '${where}.${name}' must be a string.`);
    if (value.length > LONGEST_VALUE)
      throw invalid(`The field '${where}.${name}' must be at most ${LONGEST_VALUE} characters.`);
  }
  const characters = entries.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);
  if (characters > MOST_CHARACTERS)
    throw invalid(`The field '${where}' must have at most ${MOST_CHARACTERS} characters in total.`);
}
