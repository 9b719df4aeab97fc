import type { Tx } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import type { Actor } from '../../jar.ts';
import { requirePrivilege } from '../core/access.ts';
import { findChain } from '../core/chain.ts';
import { putFirstSchemas } from '../core/found-metastore.ts';
import { isolationOf } from '../core/isolation.ts';
import type { SecurableDraft, SecurableKind } from '../core/kind.ts';
import { checkManagedRoot } from '../core/managed-storage.ts';
import { membersOf, textsIn } from '../core/texts.ts';
import { catalogOperations } from '../core/wire.ts';
import { sourceOfCatalog } from '../sharing/mirrors/source-of-catalog.ts';
import { predictiveOptimization } from './predictive-optimization.ts';
import { SCHEMAS } from './schemas.ts';

const ISOLATION = ['OPEN', 'ISOLATED'] as const;

/** The connection of a foreign catalog. The creator of the catalog needs a privilege on it. */
async function connectionId(tx: Tx, call: Actor, { above }: SecurableDraft, name: string): Promise<string> {
  const chain = await findChain(tx, above.target, 'connection', name, { lock: 'share' });
  requirePrivilege(call, chain, 'CREATE_FOREIGN_CATALOG');
  return chain.target.id;
}

/** Catalogs: the first part of full names. */
export const CATALOGS: SecurableKind = {
  type: 'catalog',
  above: 'metastore',
  idField: 'id',
  limits: ['catalogs'],
  creates: 'CREATE_CATALOG',
  renames: true,
  fields: {
    comment: { type: 'string', most: 65_536 },
    properties: { type: 'object' },
    options: { type: 'object' },
    storage_root: { type: 'string', most: 4096 },
    provider_name: { type: 'string', most: 255 },
    share_name: { type: 'string', most: 255 },
    connection_name: { type: 'string', most: 255 },
    isolation_mode: { type: 'string', words: ISOLATION },
    enable_predictive_optimization: { type: 'string', words: ['DISABLE', 'ENABLE', 'INHERIT'] },
  },
  changes: ['comment', 'properties', 'options', 'isolation_mode', 'enable_predictive_optimization'],
  children: [SCHEMAS],
  hooks: {
    async check(tx, call, draft, before) {
      const { fields } = draft;
      for (const name of ['properties', 'options']) textsIn(name, membersOf(fields[name]));
      const { provider_name: provider, share_name: share, connection_name: connection } = fields;
      if ((provider === undefined) !== (share === undefined))
        throw errors.INVALID_PARAMETER_VALUE({
          reason: "The fields 'provider_name' and 'share_name' must be given together.",
        });
      if (provider !== undefined && connection !== undefined)
        throw errors.INVALID_PARAMETER_VALUE({
          reason:
            'A catalog can be based on a share (provider_name, share_name) or on a connection (connection_name), not on both.',
        });
      const type =
        provider !== undefined
          ? 'DELTASHARING_CATALOG'
          : connection !== undefined
            ? 'FOREIGN_CATALOG'
            : 'MANAGED_CATALOG';
      if (!before) await checkManagedRoot(tx, call, draft);
      const names = { provider: String(provider), share: String(share) };
      // The marketplace passes `extra.shared` itself.
      const isNewOfShare = !before && provider !== undefined && draft.extra?.shared === undefined;
      const shared = isNewOfShare ? await sourceOfCatalog(tx, call, draft.above.target, names) : undefined;
      return {
        fields: { catalog_type: type },
        ...(shared && { extra: { shared: { ...shared } } }),
        ...isolationOf(call, fields.isolation_mode, before),
        ...(!before && typeof connection === 'string' && { uses: await connectionId(tx, call, draft, connection) }),
      };
    },
    async created(tx, { jar }, { target }) {
      if (target.fields.catalog_type === 'MANAGED_CATALOG') await putFirstSchemas(tx, jar, target);
    },
  },
  view: ({ fields, extra, bindings }, { chain, used }) => ({
    // A renamed connection is not written to its catalogs, so its current name is read here.
    ...(fields.connection_name !== undefined && { connection_name: used?.name ?? fields.connection_name }),
    catalog_type: extra?.system ? 'SYSTEM_CATALOG' : (fields.catalog_type ?? 'MANAGED_CATALOG'),
    isolation_mode: bindings ? 'ISOLATED' : 'OPEN',
    accessible_in_current_workspace: true,
    ...(typeof fields.storage_root === 'string' && { storage_location: fields.storage_root }),
    provisioning_info: { state: 'ACTIVE' },
    ...predictiveOptimization(chain),
  }),
};

export const CATALOG_OPERATIONS = catalogOperations(CATALOGS, {
  of: 'Catalogs',
  operations: 'catalogs',
  path: '/catalogs',
  array: 'catalogs',
  list: ({ query }) => ({ unbound: query.include_unbound === 'true' }),
});
