import { type Static, Type } from 'typebox';
import { sameText, sha256, type User } from '../../kernel/auth/index.ts';
import type { Answer, Route } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { findClient } from './clients.ts';
import type { DeviceCode } from './collections.ts';
import { decide, findPending } from './device-codes.ts';
import { IdentityError, identityErrors } from './errors.ts';
import { route } from './family.ts';
import { type DevicePage, deviceCodePage, deviceDonePage, deviceSignInPage } from './pages/device.ts';
import { tryPassword } from './passwords.ts';
import { formCookie, readFormCookie, readSession } from './sessions.ts';
import { type Attempt, recorded } from './sign-in-log.ts';
import { authorityOf, mayUse } from './tenants.ts';

/** The page on which a user enters the code that a program shows, and signs in for that program. */
export const DEVICE_PAGE = '/devicelogin';

const PAGE = { page: true } as const;
const text = Type.Optional(Type.String());
const Form = Type.Object({
  user_code: text,
  username: text,
  password: text,
  account: text,
  browser: text,
  other: text,
  cancel: text,
});

type PageCall = Call<Call['params'], Call['query'], Static<typeof Form>>;

export const devicePageRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: DEVICE_PAGE,
    operation: 'Identity_DevicePage',
    secretBodies: true,
    summary: 'Asks a user for the code that a program shows',
    open: true,
    query: Type.Object({ user_code: text }),
    traits: PAGE,
    responses: { 200: 'HTML' },
    handle: (call) => deviceCodePage({ userCode: call.query.user_code ?? '' }),
  }),
  route({
    method: 'POST',
    path: DEVICE_PAGE,
    operation: 'Identity_DeviceSignIn',
    secretBodies: true,
    summary: 'Processes the code, then the sign-in of its user',
    open: true,
    accepts: 'form',
    body: Form,
    traits: PAGE,
    responses: { 200: 'HTML' },
    handle(call) {
      const attempt: Attempt = { flow: 'device page', tenant: 'common' };
      return recorded(call, attempt, () => takeForm(call, attempt));
    },
  }),
];

const NOT_PENDING = 'That code did not work. Check the code and try again; it may have expired.';

const codePage = (userCode: string): Answer => deviceCodePage({ userCode, problem: NOT_PENDING, status: 400 });

/**
 * A user code alone gives no access: the form also needs a password or the browser's session. The session is accepted only with the value
 * of the browser's form cookie, so that a page of another site cannot sign its own program in as this user.
 */
async function takeForm(call: PageCall, attempt: Attempt): Promise<Answer> {
  const { user_code: userCode = '', username, password, account, cancel } = call.body;
  const pending = await findPending(call.jar, userCode);
  if (!pending) return codePage(userCode);
  attempt.tenant = pending.tenant;
  attempt.clientId = pending.clientId;
  if (cancel !== undefined) {
    const declined = await decide(call.jar, userCode, { state: 'declined' });
    if (declined) attempt.error = identityErrors.AuthorizationDeclined();
    return declined ? deviceDonePage('You did not sign in', 'The program was informed.') : codePage(userCode);
  }
  const application = (await findClient(call.jar, pending.clientId)).displayName;
  const chosen = account === undefined ? undefined : await accountOf(call, pending, account);
  if (chosen) return approve(call, attempt, { userCode, user: chosen, application });
  if (!username || !password) return ask(call, pending, { userCode, application, username });
  attempt.username = username;
  const user = await tryPassword(call, await authorityOf(call.jar, pending.tenant), username, password);
  if (user instanceof IdentityError) {
    attempt.error = user;
    const problem = user.message;
    return deviceSignInPage({ ...formOf(call, { userCode, application, username }), problem, status: user.status });
  }
  return approve(call, attempt, { userCode, user, application });
}

interface Approval {
  readonly userCode: string;
  readonly user: User;
  readonly application: string;
}

async function approve(call: PageCall, attempt: Attempt, { userCode, user, application }: Approval): Promise<Answer> {
  const approved = await decide(call.jar, userCode, { state: 'approved', userId: user.id });
  if (!approved) return codePage(userCode);
  attempt.userId = user.id;
  attempt.hasEnded = true;
  return deviceDonePage(
    `You have signed in to ${application}`,
    `As ${user.username}. You may close this window and go back to your device.`,
  );
}

interface Asking {
  readonly userCode: string;
  readonly application: string;
  readonly username: string | undefined;
}

async function ask(call: PageCall, pending: DeviceCode, asking: Asking): Promise<Answer> {
  const known = call.body.other === undefined && asking.username === undefined;
  const accounts = known ? await accountsFor(call, pending) : [];
  return deviceSignInPage({ ...formOf(call, asking), accounts });
}

function formOf(call: PageCall, { userCode, application, username = '' }: Asking): DevicePage {
  const cookie = formCookie(call);
  const { wellKnown, password } = call.jar.seedCredentials;
  const hint = wellKnown ? `Seeded users, such as admin, sign in with the password ${password}.` : undefined;
  return { userCode, application, username, browser: sha256(cookie.value), hint, headers: cookie.headers };
}

async function accountsFor(call: PageCall, pending: DeviceCode): Promise<User[]> {
  const authority = await authorityOf(call.jar, pending.tenant);
  const accounts = (await readSession(call))?.accounts ?? [];
  return accounts.map(({ user }) => user).filter((user) => mayUse(authority, user));
}

async function accountOf(call: PageCall, pending: DeviceCode, account: string): Promise<User | undefined> {
  const cookie = readFormCookie(call);
  if (cookie === undefined || !sameText(call.body.browser ?? '', sha256(cookie))) return undefined;
  return (await accountsFor(call, pending)).find(({ id }) => id === account);
}
