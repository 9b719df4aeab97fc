import type { Jar } from '../../../kernel/service/index.ts';
import { eq, readAll, type Stored, type Tx } from '../../../kernel/store/index.ts';
import { newSecret, secretHashOf } from '../access/secrets.ts';
import { recordChange } from '../accounts/changes.ts';
import { holdAccount } from '../accounts/current-account.ts';
import { type App, listOf, type Scope, type Token, tokens, tokenUses } from '../collections.ts';
import { errors } from '../errors.ts';
import type { LifecycleJar } from '../jar.ts';
import { TOKENS } from '../limits.ts';
import { listedToken } from './shape.ts';

export interface NewToken {
  readonly userId: string;
  readonly appId?: string;
  readonly scope: Scope;
  readonly description?: string | null | undefined;
}

/** A created token and its secret, which is shown only once. */
export interface MadeToken {
  readonly token: Token;
  readonly secret: string;
}

/** `check` runs in the transaction and throws if the token may no longer be created. */
export async function makeToken(
  jar: LifecycleJar,
  wanted: NewToken,
  check: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<MadeToken> {
  const secret = newSecret();
  const createdAt = new Date(jar.clock.now()).toISOString();
  const token = await jar.store.transact(async (tx) => {
    await holdAccount(tx, wanted.userId);
    await check(tx);
    const made = await putToken(tx, jar, wanted, { secret, createdAt });
    tx.afterCommit(() => jar.apiTokens.added(made));
    await recordChange(tx, jar, 'write', subjectOf(made), { scope: made.scope });
    return made;
  });
  return { token, secret };
}

/** Writes neither a change record nor the in-memory index: a seed is not a change, and the index is rebuilt after it. */
export async function putToken(
  tx: Tx,
  { limits }: Pick<Jar, 'limits'>,
  { userId, appId, scope, description }: NewToken,
  { secret, createdAt, seededFor }: Pick<Token, 'createdAt' | 'seededFor'> & { readonly secret: string },
): Promise<Token> {
  const decision = await limits.takeQuota(tx, { limit: TOKENS, scope: [userId] });
  if (!decision.allowed) {
    const reason = `The account has created ${decision.current} API tokens; the maximum is ${decision.maximum}. Delete one first.`;
    throw errors.BadRequest({ reason });
  }
  const { id, proof } = secretHashOf(secret);
  const token: Token = {
    id,
    userId,
    ...(appId !== undefined && { appId }),
    scope,
    ...(typeof description === 'string' && { description }),
    createdAt,
    proof,
    ...(seededFor !== undefined && { seededFor }),
  };
  await tx.put(tokens, id, token, { ifNoneMatch: '*' });
  return token;
}

/** Subject in change records. */
const subjectOf = ({ id, appId }: Token): string =>
  appId === undefined ? `lifecycle/api_tokens/${id}` : `lifecycle/apps/${appId}/api_tokens/${id}`;

/** In the order in which they were created. */
export async function listTokens(jar: LifecycleJar, list: string) {
  await jar.tokenUses.written();
  const inList = eq('list', list);
  const [made, used] = await Promise.all([
    readAll(jar.store, tokens, { filter: inList, order: [{ field: 'createdAt' }] }),
    readAll(jar.store, tokenUses, { filter: inList }),
  ]);
  const uses = new Map(used.map(({ key, value }) => [key, value]));
  return made.map(({ key, value }) => listedToken(value, uses.get(key)));
}

/** Deletes a token and its last use, and frees its creator's quota. Returns false if it does not exist or `mayDelete` rejects it. */
export async function removeToken(
  jar: LifecycleJar,
  { id, list }: { readonly id: string; readonly list: string },
  mayDelete: (token: Token) => boolean = () => true,
): Promise<boolean> {
  return jar.store.transact(async (tx) => {
    const found = await findById(tx, id, list);
    return found !== undefined && mayDelete(found.value) && (await dropToken(tx, jar, found));
  });
}

async function findById(tx: Tx, id: string, list: string): Promise<Stored<Token> | undefined> {
  const found = await tx.get(tokens, id);
  return found && listOf(found.value) === list ? found : undefined;
}

async function dropToken(tx: Tx, jar: LifecycleJar, { key, value }: Stored<Token>): Promise<boolean> {
  // A concurrent deletion has already done the rest.
  if (!(await tx.delete(tokens, key))) return false;
  tx.afterCommit(() => jar.apiTokens.removed(key));
  await tx.delete(tokenUses, value.id);
  await jar.limits.freeQuota(tx, { limit: TOKENS, scope: [value.userId] });
  await recordChange(tx, jar, 'delete', subjectOf(value));
  return true;
}

/** Part of the transaction that deletes the app. */
export async function dropTokensOfApp(tx: Tx, jar: LifecycleJar, { id }: Pick<App, 'id'>): Promise<void> {
  for (const each of await readAll(tx, tokens, { filter: eq('list', `app/${id}`) })) await dropToken(tx, jar, each);
}

/** Part of the transaction that deletes the account; includes app tokens that the user created. */
export async function dropTokensOfUser(tx: Tx, jar: LifecycleJar, userId: string): Promise<void> {
  for (const each of await readAll(tx, tokens, { filter: eq('userId', userId) })) await dropToken(tx, jar, each);
}
