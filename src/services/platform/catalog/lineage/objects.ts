import type { Reader } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { requirePrivilege, requireReachable, requireVisible, visibilityOf } from '../core/access.ts';
import { type Chain, chainById, findChain, fullNameOf } from '../core/chain.ts';
import { coveringLocation } from '../core/dependants.ts';
import type { Privilege } from '../core/privileges.ts';
import type { Securable } from '../core/securables.ts';
import { normalUrl, parseStorageUrl } from '../core/storage-url.ts';
import { findVersion, versionNumber } from '../models/versions.ts';
import type { LineageObject } from './collections.ts';

/** Lineage objects: parsing, permission to relate them, and views. */

/** An object with the securable that decides access to it: the securable itself, or for an address the location that contains it. */
export interface Resolved {
  readonly object: LineageObject;
  readonly chain?: Chain;
}

const MEMBERS = ['table', 'volume', 'model_version', 'external_metadata', 'path'] as const;

/**
 * Resolves `{ table: { name } }`, `{ path: { url } }`, `{ model_version: { name, version } }` and so on; exactly one member must be
 * present.
 */
export async function resolveObject(
  reader: Reader,
  metastore: Securable,
  field: string,
  sent: Sent | undefined,
): Promise<Resolved> {
  const said = MEMBERS.filter((name) => sent?.has(name));
  const [type] = said;
  const member = type && sent?.member(type);
  if (said.length !== 1 || !type || !member)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field '${field}' must have exactly one of ${MEMBERS.join(', ')}.`,
    });
  if (type === 'path') return resolvePath(reader, metastore, member.need('url'));
  const name = member.need('name');
  if (type !== 'model_version') {
    const chain = await findChain(reader, metastore, type, name);
    return { object: { type, ref: chain.target.id, name: fullNameOf(chain) }, chain };
  }
  const chain = await findChain(reader, metastore, 'registered_model', name);
  const { version } = await findVersion(reader, chain, versionNumber(chain, member.whole('version')));
  return { object: { type, ref: `${chain.target.id}/${version.version}`, name: fullNameOf(chain) }, chain };
}

async function resolvePath(reader: Reader, metastore: Securable, name: string): Promise<Resolved> {
  const url = parseStorageUrl(name);
  if (!url) throw errors.INVALID_PARAMETER_VALUE({ reason: `'${name.slice(0, 300)}' is not a storage address.` });
  const location = await coveringLocation(reader, metastore.id, url);
  return {
    object: { type: 'path', ref: normalUrl(url), name },
    ...(location && { chain: { target: location, above: [metastore] } }),
  };
}

/** The privilege on an object that is needed to record data flowing into it. */
const WRITTEN_WITH: Readonly<Record<LineageObject['type'], Privilege>> = {
  table: 'MODIFY',
  volume: 'WRITE_VOLUME',
  model_version: 'CREATE_MODEL_VERSION',
  external_metadata: 'MODIFY',
  path: 'WRITE_FILES',
};

/** Throws unless the caller may see the object. */
export function requireShown(call: PlatformCall, { chain }: Resolved): void {
  if (!chain) return;
  requireVisible(call, chain, { browse: true });
  requireReachable(call, chain);
}

/** Throws unless the caller may record data flowing into the object. */
export function requireWritten(call: PlatformCall, { object, chain }: Resolved): void {
  if (!chain) return;
  requirePrivilege(call, chain, WRITTEN_WITH[object.type], 'MANAGE');
  requireReachable(call, chain, { writes: true });
}

/** The current objects of relations, each read once. Objects that are gone, or that the caller may not see, are absent. */
export class ShownObjects {
  readonly #call: PlatformCall;
  readonly #metastore: Securable;
  readonly #known = new Map<string, Resolved | undefined>();

  constructor(call: PlatformCall, metastore: Securable) {
    this.#call = call;
    this.#metastore = metastore;
  }

  async get(object: LineageObject): Promise<Resolved | undefined> {
    const key = `${object.type}:${object.ref}`;
    if (!this.#known.has(key)) this.#known.set(key, await this.#read(object));
    return this.#known.get(key);
  }

  async #read(object: LineageObject): Promise<Resolved | undefined> {
    const { store } = this.#call.jar;
    if (object.type === 'path') {
      const found = await resolvePath(store, this.#metastore, object.name);
      return this.#isShown(found.chain) ? found : undefined;
    }
    const chain = await chainById(store, object.ref.split('/', 1)[0] ?? '');
    if (!chain || !this.#isShown(chain)) return undefined;
    return { object: { ...object, name: fullNameOf(chain) }, chain };
  }

  #isShown(chain: Chain | undefined): boolean {
    return chain === undefined || visibilityOf(callerIdentity(this.#call), chain) !== 'none';
  }
}

const versionOf = ({ ref }: LineageObject): string => ref.split('/')[1] ?? '';

/** The object in the format of requests. */
export function objectView({ object }: Resolved): JsonMembers {
  const { type, name } = object;
  if (type === 'path') return { path: { url: name } };
  if (type === 'model_version') return { model_version: { name, version: versionOf(object) } };
  return { [type]: { name } };
}

/** The list's view of the object at the other end. */
export function infoView({ object, chain }: Resolved, at: number): JsonMembers {
  const { type, name } = object;
  const event_time = new Date(at).toISOString();
  const target = chain?.target;
  if (type === 'path')
    return {
      file_info: {
        path: name,
        event_time,
        ...(target && {
          securable_name: target.name,
          securable_type: 'EXTERNAL_LOCATION',
          storage_location: target.fields.url,
        }),
      },
    };
  if (type === 'model_version')
    return { model_info: { model_name: name, version: Number(versionOf(object)), event_time } };
  if (type === 'external_metadata')
    return {
      external_metadata_info: {
        name,
        system_type: target?.fields.system_type,
        entity_type: target?.fields.entity_type,
        event_time,
      },
    };
  const [catalog_name, schema_name, short] = name.split('.');
  return { [`${type}_info`]: { name: short, catalog_name, schema_name, event_time } };
}
