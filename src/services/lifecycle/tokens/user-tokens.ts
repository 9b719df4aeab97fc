import { Type } from 'typebox';
import { created, noContent, ok } from '../../../kernel/http/index.ts';
import { userOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { listTokens, makeToken, removeToken } from './manage.ts';
import { NewTokenView, readScope, TokenBody, TokenView, tokenView } from './shape.ts';

export const listUserTokens = routeCode([], {
  responses: { 200: Type.Array(TokenView) },
  handle: async (call) => ok(await listTokens(call.jar, `user/${userOf(call).id}`)),
});

export const createUserToken = routeCode([], {
  body: TokenBody,
  responses: { 201: NewTokenView },
  async handle(call) {
    const { scope, description } = call.body;
    const wanted = { userId: userOf(call).id, scope: readScope(scope), description };
    const { token, secret } = await makeToken(call.jar, wanted);
    return created({ ...tokenView(token), api_token: secret });
  },
});

export const deleteUserToken = routeCode(['api_token_id'], {
  responses: { 204: 'Revoked' },
  async handle(call) {
    const id = call.params.api_token_id;
    if (await removeToken(call.jar, { id, list: `user/${userOf(call).id}` })) return noContent();
    throw errors.NotFound({ reason: `The user has no API token '${id.slice(0, 100)}'.` });
  },
});
