import type { Reader } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { requirePrivilege, requireReachable } from '../catalog/core/access.ts';
import { type Chain, findChain, fullNameOf } from '../catalog/core/chain.ts';
import type { Privilege, SecurableType } from '../catalog/core/privileges.ts';
import type { Securable } from '../catalog/core/securables.ts';
import { PARTITIONS } from '../catalog/sharing/shares/data-object.ts';
import type { TableType } from '../catalog/tables/kind.ts';
import { type FieldRules, readFields } from '../engine/fields.ts';
import { membersOf, textOf, textsOf } from '../engine/json.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import type { AssetType, CentralRoom } from './collections.ts';

/** Fields of an asset by type, and the securable that it refers to. */

/** An asset that is a securable of its owner's catalog. */
interface SecurableRule {
  /** The member of the body in which the owner names the securable. */
  readonly local: string;
  /** The member that all collaborators may see. */
  readonly shown?: string;
  readonly kind: SecurableType;
  readonly needs: Privilege;
  /** For tables: the accepted table types. */
  readonly tableTypes?: readonly TableType[];
  readonly fields: FieldRules;
}

const LOCAL_NAME: FieldRules = { local_name: { type: 'string', required: true, least: 1, most: 1000 } };

const TABLES: readonly TableType[] = [
  'MANAGED',
  'EXTERNAL',
  'STREAMING_TABLE',
  'MANAGED_SHALLOW_CLONE',
  'EXTERNAL_SHALLOW_CLONE',
];

const table = { kind: 'table', needs: 'SELECT' } as const;

export const SECURABLE_RULES: Readonly<Partial<Record<AssetType, SecurableRule>>> = {
  TABLE: {
    ...table,
    local: 'table_local_details',
    shown: 'table',
    tableTypes: TABLES,
    fields: { ...LOCAL_NAME, partitions: PARTITIONS },
  },
  VIEW: {
    ...table,
    local: 'view_local_details',
    shown: 'view',
    tableTypes: ['VIEW', 'MATERIALIZED_VIEW', 'METRIC_VIEW'],
    fields: LOCAL_NAME,
  },
  FOREIGN_TABLE: {
    ...table,
    local: 'foreign_table_local_details',
    shown: 'foreign_table',
    tableTypes: ['FOREIGN'],
    fields: LOCAL_NAME,
  },
  VOLUME: { local: 'volume_local_details', kind: 'volume', needs: 'READ_VOLUME', fields: LOCAL_NAME },
};

/** Types of assets that collaborators review before they run. */
export const REVIEWED: Readonly<Partial<Record<AssetType, string>>> = {
  NOTEBOOK_FILE: 'notebook',
  JAR_ANALYSIS: 'jar_analysis',
};

const LONGEST_NAME = 255;
/** Maximum characters of a notebook in base64, and of the analysis of a JAR. */
const LONGEST_CONTENT = 10 * 1024 * 1024;
const LARGEST_BLOCK_BYTES = 65_536;
const MOST_ALIASES = 10;

const NOTEBOOK: FieldRules = {
  notebook_content: { type: 'string', most: LONGEST_CONTENT },
  etag: { type: 'string', most: 100 },
  runner_collaborator_aliases: { type: 'array', most: MOST_ALIASES, items: { type: 'string', most: LONGEST_NAME } },
};

const refused = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/** Validates the name of a new asset: `catalog.schema.name` for securables, a plain name for other assets. */
export function checkAssetName(type: AssetType, name: string, room: CentralRoom, alias: string): string {
  if (!SECURABLE_RULES[type]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
    if (name.length <= LONGEST_NAME && !/[/\u0000-\u001f\u007f]/.test(name)) return name;
    throw refused(
      `'${name.slice(0, 300)}' is not a valid name: it must have 1 to ${LONGEST_NAME} characters, without slashes and control characters.`,
    );
  }
  const parts = name.toLowerCase().split('.', 4);
  const isPart = (part: string): boolean => part !== '' && part.length <= LONGEST_NAME && !/[\s/]/.test(part);
  if (parts.length !== 3 || !parts.every(isPart))
    throw refused(
      `'${name.slice(0, 300)}' is not the name of a ${type} in a clean room; the form is catalog.schema.name, where catalog is the alias of its owner.`,
    );
  const [catalog] = parts;
  if (catalog !== alias && room.collaborators.some((each) => each.alias === catalog))
    throw refused(`The catalog '${catalog}' belongs to another collaborator; yours is '${alias}'.`);
  return parts.join('.');
}

export interface FoundSecurable {
  readonly chain: Chain;
  readonly local: JsonMembers;
}

/** The securable of an asset. The caller who adds the asset must be allowed to read it. */
export async function findSecurable(
  reader: Reader,
  call: PlatformCall,
  metastore: Securable,
  type: AssetType,
  said: JsonMembers,
): Promise<FoundSecurable> {
  const rule = SECURABLE_RULES[type] as SecurableRule;
  const { kind, needs, tableTypes } = rule;
  const chain = await findChain(reader, metastore, kind, String(said.local_name));
  requirePrivilege(call, chain, needs);
  requireReachable(call, chain);
  const { table_type: tableType } = chain.target.fields;
  if (tableTypes && !tableTypes.some((each) => each === tableType))
    throw refused(
      `'${fullNameOf(chain)}' is a table of the type ${tableType} and cannot be added as ${type}; these can: ${tableTypes.join(', ')}.`,
    );
  return { chain, local: said };
}

/** The fields of a securable in a body; `before` are the previous ones. */
export function readLocal(type: AssetType, sent: JsonMembers, before?: JsonMembers): JsonMembers {
  const { local, fields } = SECURABLE_RULES[type] as SecurableRule;
  const block = sent[local];
  const said = block === undefined || block === null ? {} : readFields(fields, block, `${local}.`);
  const all = { ...before, ...said };
  if (textOf(all.local_name) === undefined)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `${local}.local_name` });
  return all;
}

/** A new revision of a reviewed asset, from a body. */
export interface SentRevision {
  readonly content?: string;
  readonly runners?: readonly string[];
  /** The etag that the client has read. */
  readonly etag?: string;
}

export function readReviewed(type: AssetType, sent: JsonMembers, room: CentralRoom): SentRevision {
  const block = REVIEWED[type] as string;
  const said = readFields(NOTEBOOK, sent[block] ?? {}, `${block}.`);
  const content = type === 'NOTEBOOK_FILE' ? textOf(said.notebook_content) : analysisIn(block, sent[block]);
  if (type === 'NOTEBOOK_FILE' && content !== undefined) checkContent(content);
  const runners = said.runner_collaborator_aliases && runnersIn(textsOf(said.runner_collaborator_aliases), room);
  const etag = textOf(said.etag);
  return {
    ...(content !== undefined && { content }),
    ...(runners && { runners }),
    ...(etag !== undefined && etag !== '' && { etag }),
  };
}

function checkContent(content: string): void {
  const isBase64 = content !== '' && content.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(content);
  if (!isBase64) throw refused("The field 'notebook.notebook_content' must be base64 and not empty.");
}

function runnersIn(aliases: readonly string[], { collaborators }: CentralRoom): readonly string[] {
  const found = [...new Set(aliases.map((alias) => alias.toLowerCase()))];
  const unknown = found.find((alias) => !collaborators.some((each) => each.alias === alias));
  if (unknown !== undefined) throw refused(`The clean room has no collaborator '${unknown.slice(0, 255)}'.`);
  return found;
}

const OF_SERVER: ReadonlySet<string> = new Set(['etag', 'review_state', 'reviews', 'runner_collaborator_aliases']);

/** The analysis of a JAR without the fields common to all reviewed assets. */
function analysisIn(name: string, block: JsonMembers[string]): string | undefined {
  if (block === undefined || block === null) return undefined;
  return boundedText(
    name,
    Object.fromEntries(Object.entries(membersOf(block)).filter(([member]) => !OF_SERVER.has(member))),
  );
}

/** The fields of a Genie space, stored as sent. */
export function readGenieSpace(sent: JsonMembers): JsonMembers {
  const block = readFields({ genie_space: { type: 'object' } }, sent);
  boundedText('genie_space', block);
  return block;
}

function boundedText(name: string, block: JsonMembers): string {
  const text = JSON.stringify(block);
  if (Buffer.byteLength(text) > LARGEST_BLOCK_BYTES)
    throw refused(`The field '${name}' must be at most ${LARGEST_BLOCK_BYTES} bytes.`);
  return text;
}
