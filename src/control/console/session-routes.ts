import { timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { knownOrigin, sha256 } from '../../kernel/auth/index.ts';
import { noContent, ok, type Route } from '../../kernel/http/index.ts';
import { countWrongCredential, retryHeaders } from '../../kernel/limits/index.ts';
import { SECOND_MS, wallNow } from '../../kernel/time/index.ts';
import { type ControlCall, controlErrors, route } from '../family.ts';
import { WRONG_KEYS } from '../limits-table.ts';
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
export function sessionRoutes(adminKey: string): readonly Route[] {
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
        return ok({ url: `${knownOrigin(call)}${path}`, role, expiresAt: iso(expiresAt) });
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
        const role = await roleFor(call, keys);
        const expiresAt = wallNow() + SESSION_LIFETIME_MS;
        const value = issuePass(keys, 'session', { role, expiresAt });
        const cookie = sessionCookie(keys, knownOrigin(call), value, SESSION_LIFETIME_MS / SECOND_MS);
        return ok({ role, expiresAt: iso(expiresAt) }, { 'set-cookie': cookie });
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
        return ok({ role: session.role, expiresAt: iso(session.expiresAt) });
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

async function roleFor(call: ControlCall & { readonly body: SessionBody }, keys: PassKeys): Promise<Role> {
  const { code, key } = call.body;
  if ((code === undefined) === (key === undefined)) throw controlErrors.CodeOrKey({}, { target: 'code' });
  if (key !== undefined) {
    if (timingSafeEqual(Buffer.from(sha256(key)), Buffer.from(sha256(keys.adminKey)))) return 'admin';
    return refuse(call, controlErrors.AdminKeyWrong());
  }
  const redeemed = await redeemCode(call.jar.store, keys, code ?? '');
  if (redeemed === 'used') throw controlErrors.LinkUsed({}, { target: 'code' });
  if (redeemed === 'expired') throw controlErrors.LinkExpired({}, { target: 'code' });
  if (redeemed === 'unknown') return refuse(call, controlErrors.LinkUnknown({}, { target: 'code' }));
  return redeemed.role;
}

/** Codes and keys are too long to guess; attempts are counted so that guessing shows in the log. */
async function refuse({ jar, remoteAddress }: ControlCall, error: Error): Promise<never> {
  const tooMany = await countWrongCredential({ jar, remoteAddress, limits: [WRONG_KEYS] });
  if (!tooMany) throw error;
  const { source, retryAfterSeconds: seconds } = tooMany;
  throw controlErrors.TooManyWrongKeys({ source, seconds }, { headers: retryHeaders(tooMany) });
}

type SessionBody = { readonly code?: string; readonly key?: string };

/** Only a path in the console: a link of the jar must not lead elsewhere. */
const pagePath = (page: string): string =>
  page
    .toWellFormed()
    .replace(/^\/+/, '')
    .replace(/[^\w\-./?&=%~:@$'(),;+]/g, encodeURIComponent);

const iso = (at: number): string => new Date(at).toISOString();
