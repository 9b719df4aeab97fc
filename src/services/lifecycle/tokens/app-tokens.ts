import { Type } from 'typebox';
import { created, noContent, ok } from '../../../kernel/http/index.ts';
import { accessOf, appOf, userOf } from '../access/access.ts';
import { holdApp } from '../apps/current-rights.ts';
import type { Scope } from '../collections.ts';
import { errors, gateway } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { type AppStanding, appRank } from '../roles.ts';
import { listTokens, makeToken, removeToken } from './manage.ts';
import { NewTokenView, readScope, TokenBody, TokenView, tokenView } from './shape.ts';

/** The minimum standing to create an app token of each scope. */
const MAKERS: Readonly<Record<Scope, AppStanding>> = { all: 'administrator', viewer: 'developer' };

export const listAppTokens = routeCode([], {
  responses: { 200: Type.Array(TokenView) },
  handle: async (call) => ok(await listTokens(call.jar, `app/${appOf(call).id}`)),
});

export const createAppToken = routeCode([], {
  body: TokenBody,
  responses: { 201: NewTokenView },
  async handle(call) {
    const scope = readScope(call.body.scope);
    const wanted = { userId: userOf(call).id, appId: appOf(call).id, scope, description: call.body.description };
    const { token, secret } = await makeToken(call.jar, wanted, async (tx) => {
      const { standing } = await holdApp(tx, call, 'developer');
      if (appRank(standing) >= appRank(MAKERS[scope])) return;
      throw gateway.forbidden(
        'only the owner of the app or an admin of its organization can create a full token of an app',
      );
    });
    return created({ ...tokenView(token), api_token: secret });
  },
});

export const deleteAppToken = routeCode(['api_token_id'], {
  responses: { 204: 'Revoked' },
  async handle(call) {
    const id = call.params.api_token_id;
    const { standing } = accessOf(call);
    const isManager = appRank(standing as AppStanding) >= appRank('manager');
    const { id: userId } = userOf(call);
    let isOthers = false;
    const isGone = await removeToken(call.jar, { id, list: `app/${appOf(call).id}` }, (token) => {
      isOthers = !isManager && token.userId !== userId;
      return !isOthers;
    });
    if (isOthers) throw gateway.forbidden('a developer can delete only tokens that they have created');
    if (isGone) return noContent();
    throw errors.NotFound({ reason: `The app has no API token '${id.slice(0, 100)}'.` });
  },
});
