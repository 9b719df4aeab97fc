import { Type } from 'typebox';
import { bearerToken, TokenError } from '../../kernel/auth/index.ts';
import { type Answer, ApiError, ok, type Route } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { route, UNUSED_BODY_BYTES } from './family.ts';
import { profileOf } from './issue.ts';
import { authorityOf } from './tenants.ts';

export const userinfoRoutes: readonly Route[] = (['GET', 'POST'] as const).map((method) =>
  route({
    method,
    path: '/{tenant}/openid/userinfo',
    operation: method === 'GET' ? 'Identity_UserInfo' : 'Identity_UserInfoPost',
    summary: 'The user of an access token',
    open: true,
    accepts: 'bytes',
    bodyLimitBytes: UNUSED_BODY_BYTES,
    traits: { cors: true },
    responses: { 200: Type.Object({ sub: Type.String() }) },
    handle: userinfo,
  }),
);

async function userinfo(call: Call<{ readonly tenant: string }>): Promise<Answer> {
  await authorityOf(call.jar, call.params.tenant);
  const token = bearerToken(call);
  if (!token) throw unauthorized('An access token is required.');
  const caller = await call.jar.tokens.verify(token).catch((error: unknown) => {
    throw error instanceof TokenError ? unauthorized(error.message) : error;
  });
  const user = caller.kind === 'user' ? await call.jar.directory.user(caller.objectId) : undefined;
  if (!user) throw unauthorized('The access token is not that of a user of this jar.');
  return ok({ sub: user.id, oid: user.id, tid: user.tenantId, ...profileOf(user, '2.0') });
}

function unauthorized(message: string): ApiError {
  const challenge = `Bearer realm="cloudjar", error="invalid_token", error_description="${message.replaceAll('"', "'")}"`;
  return new ApiError(401, 'invalid_token', message, { headers: { 'www-authenticate': challenge } });
}
