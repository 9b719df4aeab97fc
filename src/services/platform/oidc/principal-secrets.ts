import { hash, randomBytes } from 'node:crypto';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { eq, pagesOf, readAll, type Tx } from '../../../kernel/store/index.ts';
import { EXPIRE_CREDENTIAL, expiryId } from '../access/credential-work.ts';
import type { Principal } from '../accounts/collections.ts';
import { freeCount, takeCount } from '../limits/take.ts';
import {
  federationPolicies,
  type PrincipalSecret,
  policyPlace,
  principalSecretKey,
  principalSecrets,
} from './collections.ts';

/** Creation and removal of service principals' OAuth secrets: count, document, due work and change record in one transaction. */

type SecretJar = Pick<Jar, 'limits' | 'clock'>;

const SECRET_BYTES = 16;
const newSecretValue = (): string => `dose${randomBytes(SECRET_BYTES).toString('hex')}`;

export const digestOf = (value: string): string => hash('sha256', value, 'hex');

const countOf = ({ accountId, principal }: PrincipalSecret) =>
  ({ row: 'principal-secrets', scope: [accountId, principal] }) as const;

interface Wanted {
  readonly lifetimeMs: number;
  readonly scopes: readonly string[] | undefined;
}

export async function addSecret(
  tx: Tx,
  jar: SecretJar,
  { id, accountId, applicationId = '' }: Principal,
  { lifetimeMs, scopes }: Wanted,
): Promise<{ readonly value: string; readonly secret: PrincipalSecret }> {
  const value = newSecretValue();
  const now = jar.clock.now();
  const secret: PrincipalSecret = {
    id: uuid(),
    accountId,
    principal: id,
    applicationId: applicationId.toLowerCase(),
    digest: digestOf(value),
    ...(scopes && { scopes }),
    createdAt: now,
    expiresAt: now + lifetimeMs,
  };
  const key = principalSecretKey(secret);
  await takeCount(tx, jar, countOf(secret));
  await tx.put(principalSecrets, key, secret, { ifNoneMatch: '*' });
  await tx.schedule(EXPIRE_CREDENTIAL.at(secret.expiresAt, { of: 'secret', key }, expiryId('secret', key)));
  await record(tx, jar, 'create', secret);
  return { value, secret };
}

/** Revokes a secret before its expiry. */
export async function revokeSecret(tx: Tx, jar: SecretJar, secret: PrincipalSecret): Promise<void> {
  await tx.cancel(expiryId('secret', principalSecretKey(secret)));
  await removeSecret(tx, jar, secret);
}

export async function removeSecret(tx: Tx, jar: SecretJar, secret: PrincipalSecret): Promise<void> {
  await tx.delete(principalSecrets, principalSecretKey(secret));
  await freeCount(tx, jar, countOf(secret));
  await record(tx, jar, 'delete', secret);
}

/** In the transaction that deletes a service principal: removes its secrets and federation policies. */
export async function endSecrets(tx: Tx, jar: SecretJar, { accountId, id }: Principal): Promise<void> {
  const policies = await readAll(tx, federationPolicies, {
    filter: eq('place', policyPlace({ accountId, principal: id })),
  });
  for (const { key } of policies) await tx.delete(federationPolicies, key);
  const count = policies.length;
  await freeCount(tx, jar, { row: 'federation-policies', scope: [accountId, id], count });
  for await (const page of pagesOf(tx, principalSecrets, { filter: eq('principal', `${accountId}/${id}`) })) {
    for (const { value } of page) await revokeSecret(tx, jar, value);
  }
}

const record = (tx: Tx, { clock }: SecretJar, kind: string, { accountId, principal, id }: PrincipalSecret) =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${accountId}/servicePrincipals/${principal}/secrets/${id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { id, principal },
  });
