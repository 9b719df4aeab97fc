import { newSecret, sha256, type User } from '../../kernel/auth/index.ts';
import { uuid } from '../../kernel/ids/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { deleteExpiring, putExpiring, type Session, sessions } from './collections.ts';

/** Whoever signed in stays signed in, in that browser, for a day. */
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
    if (user) accounts.push({ user, sid });
  }
  return { key, session: found.value, accounts };
}

/** Always a new session under a new name: one that somebody planted in the browser before is worth nothing afterwards. */
export async function signIn(
  call: Call,
  user: User,
  before: SignedIn | undefined,
): Promise<{ sid: string; headers: Headers }> {
  const value = newSecret();
  // An application that knows this user by an earlier sign-in still finds him.
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
  // A page of another site renews its tokens in a hidden frame, where only such a cookie is sent; plain http cannot have it.
  const site = isSecure(call) ? 'None' : 'Lax';
  return { sid, headers: setCookie(call, 'session', value, site) };
}

export async function signOut(call: Call, signedIn: SignedIn | undefined): Promise<Headers> {
  if (signedIn) await call.jar.store.transact((tx) => deleteExpiring(tx, sessions, signedIn.key));
  return setCookie(call, 'session', '', isSecure(call) ? 'None' : 'Lax', '; Max-Age=0');
}

/** What ties a sign-in page to the browser that it was shown in, so that no other site can fill it in. */
export function formCookie(call: Call): { value: string; headers: Headers } {
  const known = readCookie(call, cookieName(call, 'form'));
  if (known !== undefined && known.length >= 40) return { value: known, headers: {} };
  const value = newSecret();
  return { value, headers: setCookie(call, 'form', value, 'Lax') };
}

export const readFormCookie = (call: Call): string | undefined => readCookie(call, cookieName(call, 'form'));

const isSecure = (call: Call): boolean => call.origin.startsWith('https:');

/** Browsers share cookies among the ports of a host, so the port is in the name: two jars do not sign each other's users out. */
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
