import { uuid } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import type { Account, Workspace } from '../../accounts/collections.ts';
import type { PlatformJar } from '../../jar.ts';
import { takeCounts } from '../../limits/take.ts';
import { metastoreAssignments } from './collections.ts';
import { GRANTABLE, type Privilege } from './privileges.ts';
import { type Grant, keyOf, type Securable, SYSTEM_USER, securables } from './securables.ts';

/** Initial content for a workspace: the metastore of its region, a catalog for all users, and the system catalog. */

export const DEFAULT_CATALOG = 'main';
export const SYSTEM_CATALOG = 'system';
export const DEFAULT_SCHEMA = 'default';
export const INFORMATION_SCHEMA = 'information_schema';

/** Privileges of a workspace's administrators in an automatically assigned metastore: all of them. */
const ADMIN_PRIVILEGES = GRANTABLE.metastore;

/** Privileges of all users in the first catalog. */
const USER_SCHEMA_PRIVILEGES: readonly Privilege[] = [
  'USE_SCHEMA',
  'CREATE_FUNCTION',
  'CREATE_MATERIALIZED_VIEW',
  'CREATE_MODEL',
  'CREATE_TABLE',
  'CREATE_VIEW',
  'CREATE_VOLUME',
];

interface MetastoreSeed {
  readonly account: Account;
  readonly workspace: Workspace;
  /** Id of the metastore of the region. */
  readonly id: string;
}

/** Assigns the metastore of its region to a workspace, and creates the metastore if it does not exist. */
export async function createRegionMetastore(tx: Tx, jar: PlatformJar, founding: MetastoreSeed): Promise<Securable> {
  const { account, workspace, id } = founding;
  const name = `metastore_azure_${workspace.region.toLowerCase().replace(/[^a-z0-9_-]/g, '_')}`;
  const now = jar.clock.now();
  const draft: Securable = {
    ...bySystem(now),
    kind: 'metastore',
    accountId: account.id,
    metastore: id,
    id,
    parent: account.id,
    name,
    fields: { ...METASTORE_DEFAULTS, region: workspace.region },
  };
  const known = (await tx.get(securables, keyOf(draft)))?.value;
  const { grants = [], ...metastore } = known ?? draft;
  const admins: Grant = { principal: workspace.adminsGroup, privileges: ADMIN_PRIVILEGES };
  const founded: Securable = {
    ...metastore,
    grants: [...grants.filter(({ principal }) => principal !== admins.principal), admins],
  };
  await tx.put(securables, keyOf(founded), founded);
  if (!known) {
    await putFirstCatalog(tx, jar, founded, workspace);
    await putSystemCatalog(tx, founded, now);
  }
  await tx.put(metastoreAssignments, workspace.id, {
    workspaceId: workspace.id,
    accountId: account.id,
    metastore: founded.id,
    defaultCatalog: DEFAULT_CATALOG,
  });
  return founded;
}

export const METASTORE_DEFAULTS = {
  cloud: 'azure',
  // Lets recipients outside of the jar read by the open protocol without further configuration.
  delta_sharing_scope: 'INTERNAL_AND_EXTERNAL',
  privilege_model_version: '1.0',
  external_access_enabled: false,
} as const;

const bySystem = (now: number) => ({
  owner: SYSTEM_USER,
  createdAt: now,
  createdBy: SYSTEM_USER,
  updatedAt: now,
  updatedBy: SYSTEM_USER,
});

/** The schemas of a new catalog. The second is a system schema: it does not count towards quotas and cannot be changed. */
export async function putFirstSchemas(tx: Tx, jar: PlatformJar, catalog: Securable, grants: readonly Grant[] = []) {
  const now = jar.clock.now();
  await takeCounts(tx, jar, [{ row: 'catalog-schemas', scope: [catalog.metastore, catalog.id] }]);
  const { owner, createdBy } = catalog;
  const people = { ...bySystem(now), owner, createdBy, updatedBy: createdBy };
  await putSchema(tx, catalog, DEFAULT_SCHEMA, {
    ...people,
    grants,
    fields: { comment: 'Default schema (auto-created)' },
  });
  await putSchema(tx, catalog, INFORMATION_SCHEMA, {
    ...bySystem(now),
    fields: { comment: 'Information schema (auto-created)' },
    extra: { system: true },
  });
}

type SchemaDraft = Omit<Securable, 'kind' | 'accountId' | 'metastore' | 'id' | 'parent' | 'name'>;

async function putSchema(tx: Tx, catalog: Securable, name: string, draft: SchemaDraft): Promise<void> {
  const { accountId, metastore, id: parent } = catalog;
  const schema: Securable = { ...draft, kind: 'schema', accountId, metastore, id: uuid(), parent, name };
  await tx.put(securables, keyOf(schema), schema);
}

/** A schema that the system maintains. */
export const putSystemSchema = (tx: Tx, catalog: Securable, name: string, now: number): Promise<void> =>
  putSchema(tx, catalog, name, { ...bySystem(now), fields: { comment: `System schema ${name} (auto-created)` } });

async function putFirstCatalog(tx: Tx, jar: PlatformJar, metastore: Securable, workspace: Workspace): Promise<void> {
  const { adminsGroup: owner, usersGroup: everybody } = workspace;
  await takeCounts(tx, jar, [{ row: 'catalogs', scope: [metastore.id] }]);
  const catalog: Securable = {
    ...bySystem(jar.clock.now()),
    owner,
    kind: 'catalog',
    accountId: metastore.accountId,
    metastore: metastore.id,
    id: uuid(),
    parent: metastore.id,
    name: DEFAULT_CATALOG,
    grants: [{ principal: everybody, privileges: ['USE_CATALOG'] }],
    fields: { comment: 'Main catalog (auto-created)' },
  };
  await tx.put(securables, keyOf(catalog), catalog);
  await putFirstSchemas(tx, jar, catalog, [{ principal: everybody, privileges: USER_SCHEMA_PRIVILEGES }]);
}

async function putSystemCatalog(tx: Tx, metastore: Securable, now: number): Promise<void> {
  const catalog: Securable = {
    ...bySystem(now),
    kind: 'catalog',
    accountId: metastore.accountId,
    metastore: metastore.id,
    id: uuid(),
    parent: metastore.id,
    name: SYSTEM_CATALOG,
    fields: { comment: 'System catalog (auto-created)' },
    extra: { system: true },
  };
  await tx.put(securables, keyOf(catalog), catalog);
  await putSchema(tx, catalog, INFORMATION_SCHEMA, {
    ...bySystem(now),
    fields: { comment: 'Information schema (auto-created)' },
    extra: { system: true },
  });
}
