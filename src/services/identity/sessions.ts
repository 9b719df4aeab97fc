import { newSecret, sha256, type User } from '../../kernel/auth/index.ts';
import { uuid } from '../../kernel/ids/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { deleteExpiring, putExpiring, type Session, sessions } from './collections.ts';

/** A browser stays signed in for a day. */
export const SESSION_LIFETIME_MS = 24 * 3_600_000;

export interface Account {
  readonly user: User;
  readonly sid: string;
}

export interface SignedIn {
  readonly key: string;
  readonly session: Session;
  readonly accounts: readonly Account[];
}

export type Headers = Readonly<Record<string, string>>;

export async function readSession(call: Call): Promise<SignedIn | undefined> {
  const value = readCookie(call, cookieName(call, 'session'));
  if (value === undefined) return undefined;
  const key = sha256(value);
  const found = await call.jar.store.get(sessions, key);
  if (!found || call.jar.lifetimes.isOver(found.value)) return undefined;
  const accounts: Account[] = [];
  for (const { userId, sid } of found.value.accounts) {
    const user = await call.jar.directory.user(userId);
    if (user && user.enabled !== false) accounts.push({ user, sid });
  }
  return { key, session: found.value, accounts };
}

/** Always creates a new session id, which prevents session fixation. */
export async function signIn(
  call: Call,
  user: User,
  before: SignedIn | undefined,
): Promise<{ sid: string; headers: Headers }> {
  const value = newSecret();
  // The `sid` of an earlier sign-in is kept, so that applications that know it still find the user.
  const sid = before?.session.accounts.find(({ userId }) => userId === user.id)?.sid ?? uuid();
  const others = before?.session.accounts.filter(({ userId }) => userId !== user.id) ?? [];
  const session: Session = {
    accounts: [{ userId: user.id, sid }, ...others],
    ...call.jar.lifetimes.begin(SESSION_LIFETIME_MS),
  };
  await call.jar.store.transact(async (tx) => {
    if (before) await deleteExpiring(tx, sessions, before.key);
    await putExpiring(tx, sessions, sha256(value), session);
  });
  // A page of another site renews its tokens in a hidden frame, which needs SameSite=None; plain HTTP cannot have that.
  const site = isSecure(call) ? 'None' : 'Lax';
  return { sid, headers: setCookie(call, 'session', value, site) };
}

export async function signOut(call: Call, signedIn: SignedIn | undefined): Promise<Headers> {
  if (signedIn) await call.jar.store.transact((tx) => deleteExpiring(tx, sessions, signedIn.key));
  return setCookie(call, 'session', '', isSecure(call) ? 'None' : 'Lax', '; Max-Age=0');
}

/** Binds a sign-in page to the browser that it was shown in, so that no other site can submit its form. */
export function formCookie(call: Call): { value: string; headers: Headers } {
  const known = readCookie(call, cookieName(call, 'form'));
  if (known !== undefined && known.length >= 40) return { value: known, headers: {} };
  const value = newSecret();
  return { value, headers: setCookie(call, 'form', value, 'Lax') };
}

export const readFormCookie = (call: Call): string | undefined => readCookie(call, cookieName(call, 'form'));

const isSecure = (call: Call): boolean => call.origin.startsWith('https:');

/** Browsers share cookies between the ports of a host, so the name contains the port: two jars on one host keep separate sessions. */
function cookieName(call: Call, purpose: 'session' | 'form'): string {
  const port = URL.parse(call.origin)?.port ?? '';
  return `${isSecure(call) ? '__Host-' : ''}cloudjar-${purpose}${port === '' ? '' : `-${port}`}`;
}

function setCookie(call: Call, purpose: 'session' | 'form', value: string, site: 'None' | 'Lax', more = ''): Headers {
  const secure = isSecure(call) ? '; Secure' : '';
  return { 'set-cookie': `${cookieName(call, purpose)}=${value}; Path=/; HttpOnly; SameSite=${site}${secure}${more}` };
}

function readCookie(call: Call, name: string): string | undefined {
  const header = call.headers.cookie;
  if (typeof header !== 'string') return undefined;
  for (const pair of header.split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value) return value;
  }
  return undefined;
}
