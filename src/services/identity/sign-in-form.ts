import { type Lifetime, sameText, sha256, type User } from '../../kernel/auth/index.ts';
import type { Answer } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import type { Wanted } from './collections.ts';
import { identityErrors } from './errors.ts';
import { accountsPage, passwordPage } from './pages/sign-in.ts';
import type { AuthorizationRequest, Parameters } from './request.ts';
import { formCookie, readFormCookie } from './sessions.ts';

/**
 * The authorization request is carried sealed in the sign-in page, with a hash of the browser's form cookie. It is accepted only unchanged
 * and from the browser that the page was shown in.
 */
interface Flow extends Lifetime {
  readonly kind: 'sign-in';
  readonly tenant: string;
  readonly version: Wanted['version'];
  readonly parameters: Parameters;
  readonly browser: string;
}

/** Long enough for a break, short enough that a page that was open for days starts again. */
const PAGE_LIFETIME_MS = 4 * 3_600_000;

export function showPassword(
  call: Call,
  request: AuthorizationRequest,
  options: { username?: string; problem?: string; status?: number } = {},
): Answer {
  const { wellKnown, password } = call.jar.seedCredentials;
  const hint = wellKnown ? `Seeded users, such as admin, sign in with the password ${password}.` : undefined;
  return passwordPage({ ...formOf(call, request), username: '', ...options, hint });
}

export function showAccounts(call: Call, request: AuthorizationRequest, accounts: readonly User[]): Answer {
  return accountsPage({ ...formOf(call, request), accounts });
}

function formOf(call: Call, request: AuthorizationRequest) {
  const { authority, version, parameters, client, redirectUri } = request;
  const cookie = formCookie(call);
  const flow: Flow = {
    kind: 'sign-in',
    tenant: authority.segment,
    version,
    parameters,
    browser: sha256(cookie.value),
    ...call.jar.lifetimes.begin(PAGE_LIFETIME_MS),
  };
  return {
    action: `/${authority.segment}/login`,
    flow: call.jar.vault.seal(JSON.stringify(flow)),
    redirectUri,
    application: client.displayName,
    headers: cookie.headers,
  };
}

export function openFlow(call: Call, sealed: string | undefined): Flow {
  const cookie = readFormCookie(call);
  const flow = sealed === undefined ? undefined : unseal(call, sealed);
  if (!flow || cookie === undefined || !sameText(flow.browser, sha256(cookie))) throw identityErrors.PageGone();
  if (call.jar.lifetimes.isOver(flow)) throw identityErrors.PageGone();
  return flow;
}

function unseal(call: Call, sealed: string): Flow | undefined {
  try {
    const flow = JSON.parse(call.jar.vault.open(sealed)) as Flow;
    return flow.kind === 'sign-in' ? flow : undefined;
  } catch {
    return undefined;
  }
}
