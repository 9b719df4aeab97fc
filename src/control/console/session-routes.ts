import { Type } from 'typebox';
import { knownOrigin, sameText } from '../../kernel/auth/index.ts';
import { noContent, ok, type Route } from '../../kernel/http/index.ts';
import { isoTime, SECOND_MS, wallNow } from '../../kernel/time/index.ts';
import type { Controls } from '../controls.ts';
import { type ControlCall, controlErrors, refuseWrong, route } from '../family.ts';
import { makeLink, redeemCode, SESSION_LIFETIME_MS } from './links.ts';
import { issuePass, type PassKeys, ROLES, type Role } from './passes.ts';
import { sessionCookie } from './session-cookie.ts';

const RoleText = Type.Enum([...ROLES], { description: 'readers see everything except secrets, and change nothing' });

const LinkBody = Type.Object(
  {
    role: Type.Optional(RoleText),
    page: Type.Optional(Type.String({ maxLength: 2000, description: 'The page that the link opens: requests' })),
  },
  { additionalProperties: false },
);

const SessionBody = Type.Object(
  {
    code: Type.Optional(Type.String({ maxLength: 200, description: 'From a one-time link' })),
    key: Type.Optional(Type.String({ maxLength: 1000, description: 'The admin key, instead of a code' })),
  },
  { additionalProperties: false },
);

const SessionView = Type.Object({
  role: RoleText,
  expiresAt: Type.String({ description: 'By the system clock' }),
});

/** Who may look at the console: one-time links, and the sessions that they start. */
export function sessionRoutes({ process }: Pick<Controls, 'process'>, adminKey: string): readonly Route[] {
  const startedAt = Date.parse(process.startedAt);
  return [
    route({
      method: 'POST',
      path: '/_jar/console/links',
      operation: 'Console_CreateLink',
      summary: 'A link to the console that starts one session, without the admin key in it',
      secretBodies: true,
      body: LinkBody,
      bodyOptional: true,
      responses: { 200: Type.Object({ url: Type.String(), role: RoleText, expiresAt: Type.String() }) },
      handle(call) {
        const { role = 'admin', page = '' } = call.body ?? {};
        const { path, expiresAt } = makeLink(keysOf(call, adminKey), role, pagePath(page));
        return ok({ url: `${knownOrigin(call)}${path}`, role, expiresAt: isoTime(expiresAt) });
      },
    }),
    route({
      method: 'POST',
      path: '/_jar/console/sessions',
      operation: 'Console_StartSession',
      summary: 'Starts the session of a browser with the code of a one-time link, or with the admin key',
      open: true,
      secretBodies: true,
      bodyLimitBytes: 4096,
      body: SessionBody,
      responses: { 200: SessionView },
      async handle(call) {
        const keys = keysOf(call, adminKey);
        const role = await roleFor(call, keys, startedAt);
        const expiresAt = wallNow() + SESSION_LIFETIME_MS;
        const value = issuePass(keys, 'session', { role, expiresAt });
        const cookie = sessionCookie(keys, knownOrigin(call), value, SESSION_LIFETIME_MS / SECOND_MS);
        return ok({ role, expiresAt: isoTime(expiresAt) }, { 'set-cookie': cookie });
      },
    }),
    route({
      method: 'GET',
      path: '/_jar/console/session',
      operation: 'Console_GetSession',
      summary: 'The session of the browser that asks: its role and its end',
      quiet: true,
      responses: { 200: SessionView },
      handle({ facts: { session } }) {
        if (!session) throw controlErrors.NoSession();
        return ok({ role: session.role, expiresAt: isoTime(session.expiresAt) });
      },
    }),
    route({
      method: 'DELETE',
      path: '/_jar/console/session',
      operation: 'Console_EndSession',
      summary: 'Ends the session of the browser that asks',
      safe: true,
      responses: { 204: 'Ended' },
      handle(call) {
        const cookie = sessionCookie(keysOf(call, adminKey), knownOrigin(call), '', 0);
        return { ...noContent(), headers: { 'set-cookie': cookie } };
      },
    }),
  ];
}

const keysOf = ({ jar }: Pick<ControlCall, 'jar'>, adminKey: string): PassKeys => ({ vault: jar.vault, adminKey });

async function roleFor(
  call: ControlCall & { readonly body: SessionBody },
  keys: PassKeys,
  startedAt: number,
): Promise<Role> {
  const { code, key } = call.body;
  if ((code === undefined) === (key === undefined)) throw controlErrors.CodeOrKey({}, { target: 'code' });
  if (key !== undefined) {
    if (sameText(key, keys.adminKey)) return 'admin';
    return refuseWrong(call, controlErrors.AdminKeyWrong());
  }
  const redeemed = await redeemCode(code ?? '', { store: call.jar.store, keys, startedAt });
  if (redeemed === 'used') throw controlErrors.LinkUsed({}, { target: 'code' });
  if (redeemed === 'expired') throw controlErrors.LinkExpired({}, { target: 'code' });
  if (redeemed === 'unknown') return refuseWrong(call, controlErrors.LinkUnknown({}, { target: 'code' }));
  return redeemed.role;
}

type SessionBody = { readonly code?: string; readonly key?: string };

/** Browsers resolve the encoded form too. */
const PARENT = /^(\.|%2e){2}$/i;

/** Only a path in the console: a link of the jar must not lead elsewhere. */
function pagePath(page: string): string {
  const encoded = page.toWellFormed().replace(/[^\w\-./?&=%~:@$'(),;+]/g, encodeURIComponent);
  const [path = '', ...query] = encoded.split('?');
  const segments = path.split('/').filter((segment) => !PARENT.test(segment));
  return [segments.join('/').replace(/^\/+/, ''), ...query].join('?');
}
