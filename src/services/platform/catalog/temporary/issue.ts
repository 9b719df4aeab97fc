import { createHmac } from 'node:crypto';
import type { Jar } from '../../../../kernel/service/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { Cloud } from '../core/storage-url.ts';

/** Lifetime of a temporary credential. */
const LIFETIME_MS = 3_600_000;

export interface Grant {
  readonly cloud: Cloud;
  /** The accessible storage address or service resource. */
  readonly audience: string;
  readonly permissions: string;
}

type Issuer = Pick<Jar, 'vault' | 'clock'>;

/**
 * A credential in the cloud's format, for one address and one hour. No storage in the jar accepts it. The permissions, the address and the
 * expiry are signed with a key of the jar, so that two credentials differ exactly if they give different access.
 */
export function temporaryCredential({ vault, clock }: Issuer, { cloud, audience, permissions }: Grant): JsonMembers {
  const expiration = clock.now() + LIFETIME_MS;
  const signed = (purpose: string): string =>
    createHmac('sha256', vault.deriveKey('platform temporary credentials'))
      .update(JSON.stringify([purpose, cloud, audience, permissions, expiration]))
      .digest('base64url');
  return { expiration_time: expiration, ...FORMS[cloud]({ permissions, expiration, signed }) };
}

interface Form {
  readonly permissions: string;
  readonly expiration: number;
  signed(purpose: string): string;
}

const keys = ({ signed }: Form, id: string): JsonMembers => ({
  access_key_id: `${id}${signed('id')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 16)
    .toUpperCase()}`,
  secret_access_key: signed('secret'),
  session_token: signed('session'),
});

const FORMS: Readonly<Record<Cloud, (form: Form) => JsonMembers>> = {
  azure: ({ permissions, expiration, signed }) => ({
    azure_user_delegation_sas: {
      sas_token: new URLSearchParams({
        sv: '2024-11-04',
        sr: 'd',
        sp: permissions,
        se: `${new Date(expiration).toISOString().slice(0, 19)}Z`,
        sig: signed('signature'),
      }).toString(),
    },
  }),
  aws: (form) => ({ aws_temp_credentials: keys(form, 'ASIA') }),
  gcp: ({ signed }) => ({ gcp_oauth_token: { oauth_token: `ya29.${signed('token')}` } }),
  cloudflare: (form) => ({ r2_temp_credentials: keys(form, '') }),
};

/** For the services of a cloud rather than its storage. */
export function temporaryServiceCredential(issuer: Issuer, grant: Grant): JsonMembers {
  if (grant.cloud !== 'azure') return temporaryCredential(issuer, grant);
  const { azure_user_delegation_sas: sas, ...rest } = temporaryCredential(issuer, grant);
  const signature = new URLSearchParams(String((sas as JsonMembers).sas_token)).get('sig') ?? '';
  return { ...rest, azure_aad: { aad_token: signature } };
}

/** Permissions in the notation of Azure storage. */
export const READS = 'rl';
export const WRITES = 'racwdl';
