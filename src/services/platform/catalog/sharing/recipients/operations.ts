import { ok } from '../../../../../kernel/http/index.ts';
import { eq, readAll } from '../../../../../kernel/store/index.ts';
import { Sent } from '../../../engine/sent.ts';
import { errors } from '../../../errors.ts';
import { callerIdentity, type PlatformCall, routeCode } from '../../../jar.ts';
import type { Operation } from '../../../operation.ts';
import { requireManager } from '../../core/access.ts';
import { type Chain, findChain } from '../../core/chain.ts';
import { viewChain } from '../../core/list.ts';
import { metastoreIn, metastoreNow } from '../../core/metastore.ts';
import { record } from '../../core/operations.ts';
import { keyOf, listOf, securables } from '../../core/securables.ts';
import { CATALOG_VERSIONS, catalogOperations, readSecurable } from '../../core/wire.ts';
import { expiryOf, RECIPIENTS } from './kind.ts';
import { isLive, LATEST_END, MOST_TOKENS, newToken, storeTokens, tokensOf } from './tokens.ts';

/** Adds a new token; the older ones expire after the requested time. */
async function rotateToken(call: PlatformCall, name: string): Promise<Chain> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const chain = await findChain(tx, await metastoreNow(tx, metastore), 'recipient', name, { lock: 'update' });
    requireManager(call, chain);
    const seconds = new Sent(call.body).whole('existing_token_expire_in_seconds');
    if (seconds === undefined)
      throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'existing_token_expire_in_seconds' });
    if (seconds < 0)
      throw errors.INVALID_PARAMETER_VALUE({ reason: 'existing_token_expire_in_seconds must not be negative.' });
    if (chain.target.fields.authentication_type !== 'TOKEN')
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The recipient '${chain.target.name}' has no tokens: its authentication_type is not TOKEN.`,
      });
    const now = call.jar.clock.now();
    const before = tokensOf(chain.target);
    const live = before.filter((token) => isLive(token, now));
    if (live.length >= MOST_TOKENS)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The recipient '${chain.target.name}' already has ${MOST_TOKENS} tokens; wait until the older one has expired.`,
      });
    const { id: updatedBy } = callerIdentity(call).principal;
    const end = Math.min(now + seconds * 1000, LATEST_END);
    const ending = live
      .map((token) => ({ ...token, updatedAt: now, updatedBy, expiresAt: Math.min(end, token.expiresAt ?? end) }))
      .filter((token) => isLive(token, now));
    const fresh = newToken({ createdBy: updatedBy }, now, expiryOf(call, chain.target.fields, metastore));
    const tokens = [...ending, fresh];
    const target = {
      ...chain.target,
      updatedAt: now,
      updatedBy,
      extra: { ...chain.target.extra, tokens: tokens as never },
    };
    await tx.put(securables, keyOf(target), target);
    await storeTokens(tx, target.id, before, tokens);
    await record(tx, call, 'rotate', { ...chain, target });
    return { ...chain, target };
  });
}

/** The shares that a recipient may read. */
async function sharesOf(call: PlatformCall, name: string): Promise<readonly object[]> {
  const { target: recipient, above } = await readSecurable(call, RECIPIENTS, name);
  const metastore = above.at(-1)?.id ?? '';
  const shares = await readAll(call.jar.store, securables, {
    filter: eq('list', listOf(metastore, 'share')),
    order: [{ field: 'name' }],
  });
  return shares.flatMap(({ value: share }) => {
    const grant = share.grants?.find(({ principal }) => principal === recipient.id);
    if (!grant) return [];
    const assignment = { principal: recipient.name, privileges: grant.privileges };
    return [{ share_name: share.name, privilege_assignments: [assignment] }];
  });
}

const PATH = '/unity-catalog/recipients/{full_name}';
const RATED = '/catalog/recipients';

export const RECIPIENT_OPERATIONS: readonly Operation[] = [
  ...catalogOperations(RECIPIENTS, {
    of: 'Recipients',
    operations: 'recipients',
    path: '/recipients',
    array: 'recipients',
    rated: RATED,
  }),
  {
    method: 'POST',
    path: `${PATH}/rotate-token`,
    versions: CATALOG_VERSIONS,
    rated: `${RATED}/{full_name}/rotate-token`,
    bare: [`${RATED}/{full_name}/rotate-token`],
    operation: 'recipients_rotateToken',
    summary: 'Recipients: a new token',
    code: routeCode(['full_name'], {
      handle: async (call) => ok(await viewChain(call, RECIPIENTS, await rotateToken(call, call.params.full_name))),
    }),
  },
  {
    method: 'GET',
    path: `${PATH}/share-permissions`,
    versions: CATALOG_VERSIONS,
    rated: `${RATED}/{full_name}/share-permissions`,
    bare: [`${RATED}/{full_name}/share-permissions`],
    operation: 'recipients_sharePermissions',
    summary: 'Recipients: list the permissions of one on shares',
    code: routeCode(['full_name'], {
      handle: async (call) => ok({ permissions_out: await sharesOf(call, call.params.full_name) }),
    }),
  },
];
