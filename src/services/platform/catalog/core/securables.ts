import { collection, set, text } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { type Privilege, SEEN_WITH, type SecurableType } from './privileges.ts';
import { storageKey } from './storage-url.ts';

/** What one principal was given on one securable. */
export interface Grant {
  /** The id of the principal. */
  readonly principal: string;
  readonly privileges: readonly Privilege[];
}

/** In which workspaces an isolated securable can be used. */
export interface Binding {
  readonly workspace: string;
  readonly readOnly?: true;
}

/**
 * Anything in the catalog that has an owner and grants: the metastore at the top, catalogs, schemas, tables, credentials, shares and so on. What is
 * above is named by its id, so that a rename writes one document, however much is below.
 */
export interface Securable {
  readonly kind: SecurableType;
  readonly accountId: string;
  /** The id of the metastore; of a metastore its own. */
  readonly metastore: string;
  readonly id: string;
  /** The id of what is above; of a metastore the account. */
  readonly parent: string;
  /** Lower case. */
  readonly name: string;
  /** The id of a principal, or `SYSTEM_USER`. */
  readonly owner: string;
  readonly grants?: readonly Grant[];
  /** The id of another securable that it refers to and cannot be used without: the credential of a location, the connection of a foreign catalog. */
  readonly uses?: string;
  /** Present where it is isolated. */
  readonly bindings?: readonly Binding[];
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
  /** As its kind declares them. */
  readonly fields: JsonMembers;
  /** What the code beside the kind keeps with it; not on the wire unless `view` puts it there. */
  readonly extra?: JsonMembers;
}

/** Owns what the platform makes by itself. */
export const SYSTEM_USER = 'System user';

/** What the platform keeps by itself can only be read, and is not counted. */
export const isSystems = ({ extra }: Pick<Securable, 'extra'>): boolean => extra?.system === true;

/** The id by which its columns, versions and files are kept: in a catalog of a share, that of what the provider shares. */
export const dataIdOf = ({ id, extra }: Pick<Securable, 'id' | 'extra'>): string =>
  typeof extra?.source === 'string' ? extra.source : id;

/** Functions and registered models are found under the same names. */
const NAME_SPACES: Readonly<Partial<Record<SecurableType, string>>> = { registered_model: 'function' };

export const spaceOf = (kind: SecurableType): string => NAME_SPACES[kind] ?? kind;

/** Names are alike whatever their case. */
export const securableKey = (parent: string, kind: SecurableType, name: string): string =>
  `${parent}/${spaceOf(kind)}/${name.toLowerCase()}`;

export const keyOf = ({ parent, kind, name }: Pick<Securable, 'parent' | 'kind' | 'name'>): string =>
  securableKey(parent, kind, name);

/** In which list it is. */
export const listOf = (parent: string, kind: SecurableType): string => `${parent}/${kind}`;

/** All of a kind in a metastore, whatever they lie in. */
export const everyOf = (metastore: string, kind: SecurableType): string => `${metastore}/${kind}`;

/** In the set of those who see a securable: whom `BROWSE` alone shows it. */
export const browser = (principal: string): string => `browse:${principal}`;

/** In the set of workspaces: all of them. */
export const EVERYWHERE = '*';

function* seenBy({ kind, owner, grants = [] }: Securable): Iterable<string> {
  yield owner;
  const enough: ReadonlySet<Privilege> = new Set([...SEEN_WITH[kind], 'ALL_PRIVILEGES', 'MANAGE']);
  for (const { principal, privileges } of grants) {
    if (privileges.some((each) => enough.has(each))) yield principal;
    if (privileges.includes('BROWSE')) yield browser(principal);
  }
}

/** Where its data are, for finding what lies at, above or below an address: the `url` of locations, the addresses of what lies in them. */
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
    afterwards: 'They are gone: update the objects with new ones, and rotate the tokens of recipients',
    name: ({ kind, name }) => `${kind} ${name}`,
    remove(securable) {
      const { secrets, profile, tokens, ...extra } = securable.extra ?? {};
      const isPlain = secrets === undefined && profile === undefined && tokens === undefined;
      return isPlain ? securable : { ...securable, extra };
    },
  },
});
