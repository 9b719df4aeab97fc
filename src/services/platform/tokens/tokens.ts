import type { Jar } from '../../../kernel/service/index.ts';
import { pagesOf, SLICE, type Tx } from '../../../kernel/store/index.ts';
import { EXPIRE_CREDENTIAL, expiryId } from '../access/credential-work.ts';
import { type AccessToken, accessTokens } from '../access/token-collections.ts';
import { newTokenValue, tokenIdOf } from '../access/token-value.ts';
import { freeCount, takeCount } from '../limits/take.ts';

/** Creation and removal of personal access tokens: count, document, due work and change record in one transaction. */

type TokenJar = Pick<Jar, 'limits' | 'clock'>;

/** The value is returned only to the creator of the token and never again. */
export interface NewToken {
  readonly id: string;
  readonly value: string;
  readonly token: AccessToken;
}

const countOf = ({ workspaceId, owner }: AccessToken) => ({ row: 'user-tokens', scope: [workspaceId, owner] }) as const;

export async function addToken(tx: Tx, jar: TokenJar, token: AccessToken): Promise<NewToken> {
  const value = newTokenValue();
  const id = tokenIdOf(value) as string;
  await takeCount(tx, jar, countOf(token));
  await tx.put(accessTokens, id, token, { ifNoneMatch: '*' });
  if (token.expiresAt !== undefined)
    await tx.schedule(EXPIRE_CREDENTIAL.at(token.expiresAt, { of: 'token', key: id }, expiryId('token', id)));
  await record(tx, jar, 'create', id, token);
  return { id, value, token };
}

/** Revokes a token before its expiry. */
export async function revokeToken(tx: Tx, jar: TokenJar, id: string, token: AccessToken): Promise<void> {
  await tx.cancel(expiryId('token', id));
  await removeToken(tx, jar, id, token);
}

export async function removeToken(tx: Tx, jar: TokenJar, id: string, token: AccessToken): Promise<void> {
  await tx.delete(accessTokens, id);
  await freeCount(tx, jar, countOf(token));
  await record(tx, jar, 'delete', id, token);
}

export const record = (
  tx: Tx,
  { clock }: TokenJar,
  kind: string,
  id: string,
  { workspaceId, owner, createdBy }: AccessToken,
): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceId}/tokens/${id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { id, owner, createdBy },
  });

/** Selects the tokens to revoke: of a principal that leaves the account or one workspace, or of a workspace. */
export type TokensOf =
  | { readonly accountId: string; readonly principal: string }
  | { readonly workspaceId: string; readonly principal: string }
  | { readonly workspaceId: string };

/** Called in the transaction that deletes a principal or a workspace. Revokes at most `SLICE` tokens; returns true if there may be more. */
export async function endTokens(tx: Tx, jar: TokenJar, of: TokensOf): Promise<boolean> {
  const filter =
    'accountId' in of
      ? ({ op: 'eq', field: 'principal', value: `${of.accountId}/${of.principal}` } as const)
      : 'principal' in of
        ? ({ op: 'eq', field: 'owner', value: `${of.workspaceId}/${of.principal}` } as const)
        : ({ op: 'eq', field: 'workspace', value: of.workspaceId } as const);
  for await (const page of pagesOf(tx, accessTokens, { filter, page: SLICE })) {
    for (const { key, value } of page) await revokeToken(tx, jar, key, value);
    return page.length === SLICE;
  }
  return false;
}
