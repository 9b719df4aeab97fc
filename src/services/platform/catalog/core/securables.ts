import { collection, set, text } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { type Privilege, SEEN_WITH, type SecurableType } from './privileges.ts';
import { storageKey } from './storage-url.ts';

/** The privileges of one principal on one securable. */
export interface Grant {
  /** Principal id. */
  readonly principal: string;
  readonly privileges: readonly Privilege[];
}

/** A workspace in which an isolated securable can be used. */
export interface Binding {
  readonly workspace: string;
  readonly readOnly?: true;
}

/**
 * An object of the catalog with an owner and grants: the metastore at the top, catalogs, schemas, tables, credentials, shares and so on. It
 * refers to its parent by id, so that a rename writes one document, however many descendants there are.
 */
export interface Securable {
  readonly kind: SecurableType;
  readonly accountId: string;
  /** The id of the metastore; for a metastore its own id. */
  readonly metastore: string;
  readonly id: string;
  /** The id of the parent; for a metastore the id of the account. */
  readonly parent: string;
  /** Lower case. */
  readonly name: string;
  /** The id of a principal, or `SYSTEM_USER`. */
  readonly owner: string;
  readonly grants?: readonly Grant[];
  /** The id of another securable that it refers to and depends on: the credential of a location, the connection of a foreign catalog. */
  readonly uses?: string;
  /** Present if it is isolated. */
  readonly bindings?: readonly Binding[];
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
  /** As declared by its kind. */
  readonly fields: JsonMembers;
  /** Data that the kind's own code stores with it; on the wire only if `view` adds it. */
  readonly extra?: JsonMembers;
}

/** Owner of securables that the platform creates on its own. */
export const SYSTEM_USER = 'System user';

/** Securables that the platform maintains are read-only and not counted. */
export const isSystems = ({ extra }: Pick<Securable, 'extra'>): boolean => extra?.system === true;

/** The id under which its columns, versions and files are stored: in a catalog of a share, the id of the provider's securable. */
export const dataIdOf = ({ id, extra }: Pick<Securable, 'id' | 'extra'>): string =>
  typeof extra?.source === 'string' ? extra.source : id;

/** Functions and registered models share one name space. */
const NAME_SPACES: Readonly<Partial<Record<SecurableType, string>>> = { registered_model: 'function' };

export const spaceOf = (kind: SecurableType): string => NAME_SPACES[kind] ?? kind;

/** Names are case-insensitive. */
export const securableKey = (parent: string, kind: SecurableType, name: string): string =>
  `${parent}/${spaceOf(kind)}/${name.toLowerCase()}`;

export const keyOf = ({ parent, kind, name }: Pick<Securable, 'parent' | 'kind' | 'name'>): string =>
  securableKey(parent, kind, name);

/** The list of a parent's children of one kind. */
export const listOf = (parent: string, kind: SecurableType): string => `${parent}/${kind}`;

/** All securables of a kind in a metastore, with any parent. */
export const everyOf = (metastore: string, kind: SecurableType): string => `${metastore}/${kind}`;

/** Entry of `seenBy` for a principal whose only access is `BROWSE`. */
export const browser = (principal: string): string => `browse:${principal}`;

/** Entry of `workspaces` for a securable that is open to all workspaces. */
export const EVERYWHERE = '*';

function* seenBy({ kind, owner, grants = [] }: Securable): Iterable<string> {
  yield owner;
  const enough: ReadonlySet<Privilege> = new Set([...SEEN_WITH[kind], 'ALL_PRIVILEGES', 'MANAGE']);
  for (const { principal, privileges } of grants) {
    if (privileges.some((each) => enough.has(each))) yield principal;
    if (privileges.includes('BROWSE')) yield browser(principal);
  }
}

/**
 * The address of its data, for finding what is at, above or below an address: the `url` of a location, or the storage location of a
 * securable.
 */
function storageOf({ kind, metastore, fields }: Securable): string | undefined {
  const { url, storage_location: location, storage_root: root } = fields;
  const address = kind === 'external_location' ? url : (location ?? root);
  return typeof address === 'string'
    ? storageKey(kind === 'external_location' ? 'location' : 'data', metastore, address)
    : undefined;
}

export const securables = collection<Securable>('platform.securables', {
  fields: {
    id: text((it) => it.id),
    parent: text((it) => it.parent),
    list: text(({ parent, kind }) => listOf(parent, kind)),
    name: text((it) => it.name),
    seenBy: set((it) => [...seenBy(it)]),
    workspaces: set(({ bindings }) => bindings?.map(({ workspace }) => workspace) ?? [EVERYWHERE]),
    uses: text((it) => it.uses),
    storage: text(storageOf),
    everyOf: text(({ metastore, kind }) => everyOf(metastore, kind)),
    purpose: text(({ fields }) => (typeof fields.purpose === 'string' ? fields.purpose : undefined)),
  },
  indexes: [['id'], ['parent'], ['list', 'name'], ['uses'], ['storage'], ['everyOf', 'name']],
  secrets: {
    what: 'secrets of catalog objects (credentials, connections, providers, recipients)',
    afterwards: 'They are removed: update the objects with new ones, and rotate the tokens of recipients',
    name: ({ kind, name }) => `${kind} ${name}`,
    remove(securable) {
      const { secrets, profile, tokens, ...extra } = securable.extra ?? {};
      const isPlain = secrets === undefined && profile === undefined && tokens === undefined;
      return isPlain ? securable : { ...securable, extra };
    },
  },
});
