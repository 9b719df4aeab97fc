import type { Reader } from '../../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../../kernel/values/index.ts';
import { type FieldRule, type FieldRules, readFields } from '../../../engine/fields.ts';
import { textOf } from '../../../engine/json.ts';
import { errors } from '../../../errors.ts';
import type { PlatformCall } from '../../../jar.ts';
import { requirePrivilege, requireReachable } from '../../core/access.ts';
import { type Chain, findChain, fullNameOf } from '../../core/chain.ts';
import type { Privilege, SecurableType } from '../../core/privileges.ts';
import type { Securable } from '../../core/securables.ts';
import { DATA_OBJECT_TYPES, type DataObjectType } from '../collections.ts';
import { sharedFrom } from '../mirrors/shared-catalog.ts';

/** Parses one object of a share update, and resolves it in the catalog. */

interface TypeRule {
  readonly kind: SecurableType;
  /** Privilege that the sharer needs on the object. */
  readonly needs: Privilege;
  /** Tables use `shared_as`, everything else `string_shared_as`. */
  readonly alias: 'shared_as' | 'string_shared_as';
}

const table: TypeRule = { kind: 'table', needs: 'SELECT', alias: 'shared_as' };

const RULES: Readonly<Record<Exclude<DataObjectType, 'NOTEBOOK_FILE'>, TypeRule>> = {
  TABLE: table,
  VIEW: table,
  MATERIALIZED_VIEW: table,
  STREAMING_TABLE: table,
  FOREIGN_TABLE: table,
  SCHEMA: { kind: 'schema', needs: 'SELECT', alias: 'shared_as' },
  VOLUME: { kind: 'volume', needs: 'READ_VOLUME', alias: 'string_shared_as' },
  MODEL: { kind: 'registered_model', needs: 'EXECUTE', alias: 'string_shared_as' },
  FUNCTION: { kind: 'function', needs: 'EXECUTE', alias: 'string_shared_as' },
  FEATURE_SPEC: { kind: 'function', needs: 'EXECUTE', alias: 'string_shared_as' },
};

export const aliasField = (type: DataObjectType): TypeRule['alias'] =>
  type === 'NOTEBOOK_FILE' ? 'string_shared_as' : RULES[type].alias;

const LONGEST_CONTENT = 10 * 1024 * 1024;

const partitionValue: FieldRules = {
  name: { type: 'string', required: true, most: 255 },
  op: { type: 'string', words: ['EQUAL', 'LIKE'], default: 'EQUAL' },
  value: { type: 'string', most: 1000 },
  recipient_property_key: { type: 'string', most: 255 },
};

/** The shared partitions of a table. */
export const PARTITIONS: FieldRule = {
  type: 'array',
  most: 100,
  items: {
    type: 'object',
    members: { values: { type: 'array', most: 100, items: { type: 'object', members: partitionValue } } },
  },
};

/** Stored fields of an object beyond name, type and alias. */
export const OBJECT_FIELDS: FieldRules = {
  comment: { type: 'string', most: 65_536 },
  cdf_enabled: { type: 'boolean' },
  history_data_sharing_status: { type: 'string', words: ['ENABLED', 'DISABLED'] },
  start_version: { type: 'integer', least: 0 },
  content: { type: 'string', most: LONGEST_CONTENT },
  partitions: PARTITIONS,
};

const HEAD: FieldRules = {
  name: { type: 'string', required: true, least: 1, most: 1000 },
  data_object_type: { type: 'string', words: DATA_OBJECT_TYPES },
  shared_as: { type: 'string', most: 511 },
  string_shared_as: { type: 'string', most: 511 },
};

export interface SentObject {
  readonly name: string;
  readonly type: DataObjectType;
  /** Absent: the name in the catalog. */
  readonly alias?: string;
  readonly fields: JsonMembers;
}

export function readDataObject(sent: unknown): SentObject {
  const at = 'data_object.';
  const { name, data_object_type: said, shared_as: alias, string_shared_as: other } = readFields(HEAD, sent, at);
  if (typeof name !== 'string') throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'data_object.name' });
  const type = (textOf(said) as DataObjectType | undefined) ?? (name.split('.').length === 2 ? 'SCHEMA' : 'TABLE');
  const shared = textOf(alias) ?? textOf(other);
  return {
    name: type === 'NOTEBOOK_FILE' ? name : name.toLowerCase(),
    type,
    ...(shared !== undefined && shared !== '' && { alias: shared.toLowerCase() }),
    fields: readFields(OBJECT_FIELDS, sent, at),
  };
}

/** The object in the catalog, which the sharer must be allowed to read; a notebook exists only in the share. */
export async function findShared(
  reader: Reader,
  call: PlatformCall,
  metastore: Securable,
  { type, name, fields }: SentObject,
): Promise<Chain | undefined> {
  if (type === 'NOTEBOOK_FILE') {
    if (typeof fields.content !== 'string' || fields.content === '')
      throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'data_object.content' });
    return undefined;
  }
  const { kind, needs } = RULES[type];
  const chain = await findChain(reader, metastore, kind, name);
  requirePrivilege(call, chain, needs);
  requireReachable(call, chain);
  if ([chain.target, ...chain.above].some(sharedFrom))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `'${name.slice(0, 300)}' comes from a share itself and cannot be shared.`,
    });
  return chain;
}

/** Names of schemas and tables that the open protocol accepts. Its pagination relies on names without control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const FORBIDDEN = /[\s/\u0000-\u001f\u007f]/;

const isAliasName = (part: string): boolean =>
  part !== '' && part.length <= 255 && part.isWellFormed() && !FORBIDDEN.test(part);

/** The name that recipients see: the name of the schema and of the object. */
export function aliasOf({ type, name, alias }: SentObject, chain: Chain | undefined): string {
  const length = type === 'SCHEMA' || type === 'NOTEBOOK_FILE' ? 1 : 2;
  if (alias === undefined) return chain ? fullNameOf(chain).split('.').slice(1).join('.') : name;
  const parts = alias.split('.');
  if (type === 'NOTEBOOK_FILE' || (parts.length === length && parts.every(isAliasName))) return alias;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `'${alias.slice(0, 300)}' is not a valid name for a ${type} in a share; the form is ${length === 1 ? 'schema' : 'schema.name'}.`,
  });
}
