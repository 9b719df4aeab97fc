import { textOf } from '../../../engine/json.ts';
import { errors } from '../../../errors.ts';
import { callerIdentity, type PlatformJar } from '../../../jar.ts';
import { manages } from '../../core/access.ts';
import type { SecurableKind } from '../../core/kind.ts';
import type { Securable } from '../../core/securables.ts';
import { cloudAndRegionOf } from '../global-id.ts';
import { removePartner } from '../partners.ts';
import { type Profile, profileView, readProfile } from './profile.ts';

const AUTHENTICATION = ['TOKEN', 'DATABRICKS', 'OAUTH_CLIENT_CREDENTIALS', 'OIDC_FEDERATION'] as const;
/** Providers with these types are outside of the platform and have a profile. */
const WITH_PROFILE: ReadonlySet<unknown> = new Set(['TOKEN', 'OAUTH_CLIENT_CREDENTIALS']);

/** Providers: parties that share data with this metastore. Of a profile, only the sealed text is stored. */
export const PROVIDERS: SecurableKind = {
  type: 'provider',
  above: 'metastore',
  idField: 'id',
  limits: ['providers'],
  creates: 'CREATE_PROVIDER',
  renames: true,
  fields: {
    authentication_type: { type: 'string', required: true, words: AUTHENTICATION },
    comment: { type: 'string', most: 65_536 },
    recipient_profile_str: { type: 'string', most: 100_000 },
  },
  changes: ['comment', 'recipient_profile_str'],
  hooks: {
    async check(_tx, { jar }, { fields }, before) {
      const { authentication_type: type, recipient_profile_str: profile } = fields;
      if (typeof profile === 'string') {
        readProfile(profile);
        return { fields: { recipient_profile_str: undefined }, extra: { profile: jar.vault.seal(profile) } };
      }
      if (!before && WITH_PROFILE.has(type))
        throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'recipient_profile_str' });
      return undefined;
    },
    removed: removePartner,
  },
  view: (provider, { call, chain }) => ({
    ...cloudAndRegionOf(provider.fields.data_provider_global_metastore_id),
    ...(provider.extra?.profile !== undefined && {
      ...profileView(
        profileOf(call.jar, provider) as Profile,
        !call.caller?.readOnly && manages(callerIdentity(call), chain),
      ),
    }),
  }),
};

export function profileOf({ vault }: Pick<PlatformJar, 'vault'>, { extra }: Securable): Profile | undefined {
  const sealed = textOf(extra?.profile);
  return sealed === undefined ? undefined : readProfile(vault.open(sealed) ?? '');
}
