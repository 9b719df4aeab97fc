import { ok } from '../../../kernel/http/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { type AccessToken, accessTokens, tokensOfOwner } from '../access/token-collections.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { changeToken } from './change-token.ts';
import { readComment } from './comment.ts';
import { endOf } from './lifetime.ts';
import { requireTokens } from './may-use.ts';
import { readScopes } from './read-scopes.ts';
import { addToken, revokeToken } from './tokens.ts';

/** A caller's own tokens, at `/token/…`. */

/** -1 means that the token never expires. */
export const expiryOf = ({ expiresAt }: AccessToken): number => expiresAt ?? -1;

const viewOf = (id: string, token: AccessToken) => ({
  token_id: id,
  comment: token.comment ?? '',
  creation_time: token.createdAt,
  expiry_time: expiryOf(token),
  ...(token.lastUsedDay !== undefined && { last_accessed_time: token.lastUsedDay }),
  ...(token.scopes && { scopes: token.scopes }),
});

async function createToken(call: PlatformCall) {
  const { jar } = call;
  const workspace = workspaceIn(call);
  const { principal } = callerIdentity(call);
  const sent = new Sent(call.body);
  const comment = readComment(sent);
  const scopes = readScopes(call, sent);
  sent.flag('autoscope_enabled');
  const createdAt = jar.clock.now();
  const expiresAt = await endOf(call, workspace, sent.whole('lifetime_seconds'), 'two years', createdAt);
  await requireTokens(call, callerIdentity(call));
  const { id, value, token } = await jar.store.transact((tx) =>
    addToken(tx, jar, {
      accountId: workspace.accountId,
      workspaceId: workspace.id,
      owner: principal.id,
      createdBy: principal.id,
      ...(comment && { comment }),
      ...(scopes && { scopes }),
      createdAt,
      ...(expiresAt !== undefined && { expiresAt }),
    }),
  );
  return ok({ token_value: value, token_info: viewOf(id, token) });
}

const ownerOf = (call: PlatformCall): string =>
  tokensOfOwner({ workspaceId: workspaceIn(call).id, owner: callerIdentity(call).principal.id });

/** Lists only valid tokens: due work removes expired ones, and may be late. */
async function listTokens(call: PlatformCall) {
  const { jar } = call;
  await jar.tokenUses.written();
  const filter = eq('owner', ownerOf(call));
  const found = await readAll(jar.store, accessTokens, { filter, order: [{ field: 'createdAt' }] });
  const now = jar.clock.now();
  const good = found.filter(({ value: { expiresAt } }) => expiresAt === undefined || expiresAt > now);
  return ok({ token_infos: good.map(({ key, value }) => viewOf(key, value)) });
}

async function deleteToken(call: PlatformCall) {
  const { jar } = call;
  const id = new Sent(call.body).need('token_id').toLowerCase();
  await jar.store.transact(async (tx) => {
    const token = (await tx.get(accessTokens, id))?.value;
    if (!token || tokensOfOwner(token) !== ownerOf(call))
      throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Token ${id.slice(0, 100)} does not exist.` });
    await revokeToken(tx, jar, id, token);
  });
  return ok({});
}

export const OWN_TOKEN_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/token/create',
    operation: 'tokens_create',
    summary: 'Create a personal access token, whose value is shown once',
    code: routeCode([], { handle: createToken }),
  },
  {
    method: 'GET',
    path: '/token/list',
    operation: 'tokens_list',
    summary: 'List the valid tokens of the caller in the workspace',
    code: routeCode([], { handle: listTokens }),
  },
  {
    method: 'POST',
    path: '/token/delete',
    operation: 'tokens_delete',
    summary: 'Revoke a token of the caller',
    code: routeCode([], { handle: deleteToken }),
  },
  {
    method: 'PATCH',
    path: '/token/{token_id}',
    operation: 'tokens_update',
    summary: 'Change the comment or the scopes of a token of the caller',
    code: routeCode(['token_id'], {
      async handle(call) {
        await changeToken(call, call.params.token_id, (token) => tokensOfOwner(token) === ownerOf(call));
        return ok({});
      },
    }),
  },
];
