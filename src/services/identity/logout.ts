import { type Static, Type } from 'typebox';
import { applications } from '../../kernel/auth/index.ts';
import type { Answer, Route } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import { pagesOf } from '../../kernel/store/index.ts';
import { route } from './family.ts';
import { signedOutPage } from './pages/messages.ts';
import { readSession, signOut } from './sessions.ts';
import { authorityOf } from './tenants.ts';

const Parameters = Type.Object({
  post_logout_redirect_uri: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
});

export const logoutRoutes: readonly Route[] = [
  logoutAt('/{tenant}/oauth2/logout', 'Identity_Logout'),
  logoutAt('/{tenant}/oauth2/v2.0/logout', 'Identity_LogoutV2'),
];

function logoutAt(path: '/{tenant}/oauth2/logout' | '/{tenant}/oauth2/v2.0/logout', operation: string): Route {
  return route({
    method: 'GET',
    path,
    operation,
    summary: 'Signs all users out of this browser',
    open: true,
    query: Parameters,
    traits: { page: true },
    responses: { 200: 'HTML', 302: 'To the address that the application registered' },
    handle: logout,
  });
}

async function logout(call: Call<{ readonly tenant: string }, Static<typeof Parameters>>): Promise<Answer> {
  await authorityOf(call.jar, call.params.tenant);
  const headers = await signOut(call, await readSession(call));
  const { post_logout_redirect_uri: target, state } = call.query;
  if (target === undefined || !(await isRegistered(call.jar, target))) return signedOutPage(headers);
  const suffix = state === undefined ? '' : `${target.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`;
  return { status: 302, headers: { ...headers, location: target + suffix } };
}

/** The request need not name its application, so a redirect URI of any application is accepted, but no unregistered one. */
async function isRegistered(jar: Jar, uri: string): Promise<boolean> {
  for await (const page of pagesOf(jar.store, applications)) {
    if (page.some(({ value }) => value.redirectUris.includes(uri))) return true;
  }
  return false;
}
