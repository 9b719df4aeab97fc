import { ok } from '../../../kernel/http/index.ts';
import { allOf, eq, readAll, type Stored } from '../../../kernel/store/index.ts';
import { findByLogin } from '../access/find-principal.ts';
import { type AccessToken, accessTokens } from '../access/token-collections.ts';
import { namesOf } from '../engine/names.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { changeToken } from './change-token.ts';
import { readComment } from './comment.ts';
import { endOf } from './lifetime.ts';
import { requireTokens } from './may-use.ts';
import { expiryOf } from './own-tokens.ts';
import { readScopes } from './read-scopes.ts';
import { addToken, revokeToken } from './tokens.ts';

/** Tokens of all users of a workspace, for its administrators, at `/token-management/…`. */

async function viewsOf(call: PlatformCall, found: readonly Pick<Stored<AccessToken>, 'key' | 'value'>[]) {
  const creators = found.map(({ value }) => value.createdBy);
  const { nameOf } = await namesOf(call.jar.store, accountIn(call).id, creators);
  return found.map(({ key, value: token }) => ({
    token_id: key,
    comment: token.comment ?? '',
    creation_time: token.createdAt,
    expiry_time: expiryOf(token),
    created_by_id: Number(token.createdBy),
    created_by_username: nameOf(token.createdBy),
    owner_id: Number(token.owner),
    workspace_id: Number(token.workspaceId),
    ...(token.lastUsedDay !== undefined && { last_used_day: token.lastUsedDay }),
    ...(token.scopes && { scopes: token.scopes }),
  }));
}

async function listTokens(call: PlatformCall) {
  const { jar } = call;
  const workspace = workspaceIn(call);
  const sent = new Sent(call.query);
  const [id, name] = [sent.whole('created_by_id'), sent.text('created_by_username')];
  const named = name ? await findByLogin(jar.store, workspace, ['user', 'servicePrincipal'], name) : undefined;
  if (name && !named) return ok({ token_infos: [] });
  await jar.tokenUses.written();
  const found = await readAll(jar.store, accessTokens, {
    filter: allOf(
      eq('workspace', workspace.id),
      id === undefined ? undefined : eq('creator', String(id)),
      named && eq('creator', named.id),
    ),
    order: [{ field: 'createdAt' }],
  });
  return ok({ token_infos: await viewsOf(call, found) });
}

const notFound = (id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `Token ${id.slice(0, 100)} does not exist.` });

async function getToken(call: PlatformCall, id: string) {
  await call.jar.tokenUses.written();
  const found = await call.jar.store.get(accessTokens, id.toLowerCase());
  if (found?.value.workspaceId !== workspaceIn(call).id) throw notFound(id);
  const [token_info] = await viewsOf(call, [found]);
  return ok({ token_info });
}

async function deleteToken(call: PlatformCall, id: string) {
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const token = (await tx.get(accessTokens, id.toLowerCase()))?.value;
    if (token?.workspaceId !== workspaceIn(call).id) throw notFound(id);
    await revokeToken(tx, jar, id.toLowerCase(), token);
  });
  return ok({});
}

/** Creates a token for a service principal of the workspace. */
async function createOnBehalf(call: PlatformCall) {
  const { jar } = call;
  const workspace = workspaceIn(call);
  const sent = new Sent(call.body);
  const applicationId = sent.need('application_id');
  const comment = readComment(sent);
  const scopes = readScopes(call, sent);
  const createdAt = jar.clock.now();
  const expiresAt = await endOf(call, workspace, sent.whole('lifetime_seconds'), 'for ever', createdAt);
  const owner = await findByLogin(jar.store, workspace, ['servicePrincipal'], applicationId);
  const standing = owner && (await jar.callerIdentities.of(workspace.accountId, owner.id));
  if (!owner || !standing) {
    throw errors.RESOURCE_DOES_NOT_EXIST({
      reason: `There is no service principal with application id ${applicationId.slice(0, 100)} in the workspace.`,
    });
  }
  await requireTokens(call, standing);
  const { id, value, token } = await jar.store.transact((tx) =>
    addToken(tx, jar, {
      accountId: workspace.accountId,
      workspaceId: workspace.id,
      owner: owner.id,
      createdBy: callerIdentity(call).principal.id,
      ...(comment && { comment }),
      ...(scopes && { scopes }),
      createdAt,
      ...(expiresAt !== undefined && { expiresAt }),
    }),
  );
  const [token_info] = await viewsOf(call, [{ key: id, value: token }]);
  return ok({ token_value: value, token_info });
}

const ONE = '/token-management/tokens/{token_id}';

const managed = (path: string) => ({ path, bare: [path], needs: 'admin' }) as const;

export const TOKEN_MANAGEMENT_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    ...managed('/token-management/tokens'),
    operation: 'tokenManagement_list',
    summary: 'List the tokens of the workspace, of one creator if asked',
    code: routeCode([], { handle: listTokens }),
  },
  {
    method: 'GET',
    ...managed(ONE),
    operation: 'tokenManagement_get',
    summary: 'Read one token of the workspace, without its value',
    code: routeCode(['token_id'], { handle: (call) => getToken(call, call.params.token_id) }),
  },
  {
    method: 'DELETE',
    ...managed(ONE),
    operation: 'tokenManagement_delete',
    summary: 'Revoke a token of any user of the workspace',
    code: routeCode(['token_id'], { handle: (call) => deleteToken(call, call.params.token_id) }),
  },
  {
    method: 'PATCH',
    ...managed(ONE),
    operation: 'tokenManagement_update',
    summary: 'Change the comment or the scopes of a token',
    code: routeCode(['token_id'], {
      async handle(call) {
        await changeToken(call, call.params.token_id, ({ workspaceId }) => workspaceId === workspaceIn(call).id);
        return ok({});
      },
    }),
  },
  {
    method: 'POST',
    ...managed('/token-management/on-behalf-of/tokens'),
    operation: 'tokenManagement_createOboToken',
    summary: 'Create a token for a service principal',
    code: routeCode([], { handle: createOnBehalf }),
  },
];
