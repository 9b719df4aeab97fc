import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import type { FieldRules } from '../../engine/fields.ts';
import { refuseUsed } from '../core/dependants.ts';
import { isolationOf } from '../core/isolation.ts';
import type { SecurableHooks, SecurableKind } from '../core/kind.ts';
import { sealAll } from '../core/sealed.ts';
import type { Securable } from '../core/securables.ts';
import { IDENTITY_NAMES, identityRules, identityView, onlyIdentity, withoutSecret } from './identities.ts';

export const CREDENTIAL_ISOLATION = ['ISOLATION_MODE_OPEN', 'ISOLATION_MODE_ISOLATED'] as const;

const FIELDS: FieldRules = {
  ...identityRules(),
  comment: { type: 'string', most: 65_536 },
  read_only: { type: 'boolean', default: false },
  isolation_mode: { type: 'string', words: CREDENTIAL_ISOLATION },
  // No cloud is contacted; the field exists so that a wrong type is refused.
  skip_validation: { type: 'boolean' },
};

const CHANGES = [...IDENTITY_NAMES, 'comment', 'read_only', 'isolation_mode', 'skip_validation'];

/**
 * The identity in a change. Returns undefined if the change has none. A new identity replaces the previous one, even one of another type.
 */
function requestedIdentity(fields: JsonMembers, before: Securable | undefined): JsonMembers | undefined {
  if (!before) return fields;
  const changed = IDENTITY_NAMES.filter((name) => fields[name] !== undefined && fields[name] !== before.fields[name]);
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, fields[name]]));
}

/** `force` of a change, in the body of a workspace or account call. */
const isForced = (body: unknown): boolean => isObject(body) && (body as JsonMembers).force === true;

const FORCE = 'Use the force option to continue anyway.';

const HOOKS: SecurableHooks = {
  async check(tx, call, { fields, extra }, before) {
    const common = { ...isolationOf(call, fields.isolation_mode, before) };
    const said = requestedIdentity(fields, before);
    if (!said) return { ...common, fields: { skip_validation: undefined } };
    const name = onlyIdentity(said);
    if (before && !isForced(call.body)) await refuseUsed(tx, before, FORCE);
    const [open, secret] = withoutSecret(name, said[name]);
    const others = Object.fromEntries(IDENTITY_NAMES.map((each) => [each, undefined]));
    return {
      ...common,
      fields: { ...others, [name]: open, skip_validation: undefined },
      extra: { ...extra, secrets: secret === undefined ? {} : sealAll(call.jar.vault, { secret }) },
    };
  },
  async removing(tx, _call, { target }, { force }) {
    if (!force) await refuseUsed(tx, target, FORCE);
  },
};

const view: NonNullable<SecurableKind['view']> = (credential, { chain }) => ({
  ...identityView(credential),
  isolation_mode: credential.bindings ? 'ISOLATION_MODE_ISOLATED' : 'ISOLATION_MODE_OPEN',
  used_for_managed_storage: chain.above.at(-1)?.fields.storage_root_credential_id === credential.id,
});

/** Credentials of other clouds, for storage and for services. Both share one name space and one limit. */
export const CREDENTIALS: SecurableKind = {
  type: 'credential',
  above: 'metastore',
  idField: 'id',
  limits: ['credentials'],
  creates: ({ purpose }) => (purpose === 'STORAGE' ? 'CREATE_STORAGE_CREDENTIAL' : 'CREATE_SERVICE_CREDENTIAL'),
  renames: true,
  fields: { ...FIELDS, purpose: { type: 'string', words: ['SERVICE', 'STORAGE'], default: 'SERVICE' } },
  changes: CHANGES,
  hooks: HOOKS,
  view,
};

/** The older API: only credentials for storage. */
export const STORAGE_CREDENTIALS: SecurableKind = {
  ...CREDENTIALS,
  fields: { ...FIELDS, purpose: { type: 'string', readOnly: true, default: 'STORAGE' } },
  includes: ({ fields }) => fields.purpose === 'STORAGE',
  view: (credential, context) => ({ ...view(credential, context), purpose: undefined }),
};
