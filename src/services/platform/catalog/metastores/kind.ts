import type { FieldRules } from '../../engine/fields.ts';
import { ARTIFACT_TYPES, allowlistKey, artifactAllowlists } from '../allowlists/collections.ts';
import type { SecurableKind } from '../core/kind.ts';
import { SECURABLE_KINDS } from '../kinds.ts';
import { globalIdOf } from '../sharing/global-id.ts';

const FIELDS: FieldRules = {
  region: { type: 'string', most: 100 },
  storage_root: { type: 'string', most: 4096 },
  external_access_enabled: { type: 'boolean' },
  delta_sharing_scope: { type: 'string', words: ['INTERNAL', 'INTERNAL_AND_EXTERNAL'] },
  delta_sharing_recipient_token_lifetime_in_seconds: { type: 'integer', least: 0, most: 10 * 365 * 86_400 },
  delta_sharing_organization_name: { type: 'string', most: 255 },
  privilege_model_version: { type: 'string', most: 20 },
  storage_root_credential_id: { type: 'string', most: 100 },
};

/** Metastores: the root of the catalog. They belong to an account and have operations of their own. */
export const METASTORES: SecurableKind = {
  type: 'metastore',
  // A metastore has no parent; `operations.ts` creates and changes it.
  above: 'metastore',
  idField: 'metastore_id',
  limits: [],
  creates: 'CREATE_CATALOG',
  renames: true,
  fields: FIELDS,
  changes: Object.keys(FIELDS).filter((name) => name !== 'region' && name !== 'storage_root'),
  children: SECURABLE_KINDS.filter(({ above }) => above === 'metastore'),
  hooks: {
    async removed(tx, _jar, { id }) {
      for (const type of ARTIFACT_TYPES) await tx.delete(artifactAllowlists, allowlistKey(id, type));
    },
  },
  view: ({ fields, id }) => ({
    full_name: undefined,
    securable_type: undefined,
    browse_only: undefined,
    cloud: fields.cloud,
    global_metastore_id: globalIdOf({ fields, id }),
  }),
};
