import { type Static, Type } from 'typebox';
import type { User } from '../../kernel/auth/index.ts';
import type { Answer, Route } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import type { Wanted } from './collections.ts';
import { IdentityError, identityErrors } from './errors.ts';
import { route } from './family.ts';
import { tryPassword } from './passwords.ts';
import {
  type Asked,
  type AuthorizationRequest,
  AuthorizeParameters,
  type Parameters,
  readAsked,
  readRequest,
} from './request.ts';
import { grant, refuse } from './respond.ts';
import { type Account, readSession, type SignedIn, signIn } from './sessions.ts';
import { openFlow, showAccounts, showPassword } from './sign-in-form.ts';
import { type Attempt, recorded } from './sign-in-log.ts';
import { mayUse } from './tenants.ts';

/** The name of these sign-ins in the log. */
const FLOW = 'authorize';

/** Marks routes that answer with a page and report errors on a page. */
const PAGE = { page: true } as const;

const SignInForm = Type.Object({
  flow: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  account: Type.Optional(Type.String()),
  other: Type.Optional(Type.String()),
  cancel: Type.Optional(Type.String()),
});

export const authorizeRoutes: readonly Route[] = [
  ...authorizeAt('/{tenant}/oauth2/authorize', '1.0', 'Identity_Authorize'),
  ...authorizeAt('/{tenant}/oauth2/v2.0/authorize', '2.0', 'Identity_AuthorizeV2'),
  route({
    method: 'POST',
    path: '/{tenant}/login',
    operation: 'Identity_SignIn',
    secretBodies: true,
    summary: 'Processes the form of the sign-in page',
    open: true,
    accepts: 'form',
    body: SignInForm,
    traits: PAGE,
    responses: { 200: 'HTML', 302: 'Back to the application' },
    handle: takeForm,
  }),
  route({
    method: 'GET',
    path: '/{tenant}/login',
    operation: 'Identity_SignInAlone',
    summary: 'Says that sign-in starts at an application',
    open: true,
    traits: PAGE,
    responses: { 400: 'HTML' },
    handle: () => {
      throw identityErrors.NothingToSignIn();
    },
  }),
];

function authorizeAt(
  path: '/{tenant}/oauth2/authorize' | '/{tenant}/oauth2/v2.0/authorize',
  version: Wanted['version'],
  operation: string,
): Route[] {
  const common = {
    path,
    open: true,
    secretBodies: true,
    traits: PAGE,
    responses: { 200: 'HTML', 302: 'Back to the application' },
  } as const;
  return [
    route({
      ...common,
      method: 'GET',
      operation,
      summary: 'Signs a user in and sends tokens or a code back to the application',
      query: AuthorizeParameters,
      handle: (call) => authorize(call, call.params.tenant, version, call.query),
    }),
    route({
      ...common,
      method: 'POST',
      operation: `${operation}Post`,
      summary: 'The same, with the parameters in a form',
      accepts: 'form',
      body: AuthorizeParameters,
      handle: (call) => authorize(call, call.params.tenant, version, call.body),
    }),
  ];
}

function authorize(call: Call, tenant: string, version: Wanted['version'], parameters: Parameters): Promise<Answer> {
  const attempt: Attempt = { flow: FLOW, tenant, clientId: parameters.client_id };
  return recorded(call, attempt, () => answerFor(call, version, parameters, attempt));
}

async function answerFor(
  call: Call,
  version: Wanted['version'],
  parameters: Parameters,
  attempt: Attempt,
): Promise<Answer> {
  const request = await readRequest(call, attempt.tenant, version, parameters);
  return orRefuse(call, request, attempt, async () => {
    const asked = readAsked(call, request);
    const signedIn = await readSession(call);
    const choice = choose(request, asked, signedIn);
    if (choice === 'password') return showPassword(call, request, { username: request.parameters.login_hint });
    if (choice === 'accounts')
      return showAccounts(
        call,
        request,
        accountsFor(request, signedIn).map(({ user }) => user),
      );
    return granted(attempt, asked, choice.user, grant(call, request, asked, choice.user, choice.sid, {}));
  });
}

/** Chooses the account, without asking if possible; otherwise chooses the page that asks. */
function choose(
  request: AuthorizationRequest,
  { prompts }: Asked,
  signedIn: SignedIn | undefined,
): Account | 'password' | 'accounts' {
  const accounts = accountsFor(request, signedIn);
  const meant = accounts.filter((account) => matchesHint(request.parameters, account));
  const only = meant.length === 1 ? meant[0] : undefined;
  if (prompts.has('none')) {
    if (accounts.length === 0) throw identityErrors.LoginRequired();
    if (!only) throw identityErrors.InteractionRequired();
    return only;
  }
  if (prompts.has('login')) return 'password';
  if (prompts.has('select_account')) return accounts.length > 0 ? 'accounts' : 'password';
  return only ?? (meant.length > 1 ? 'accounts' : 'password');
}

/** True if the account matches the `login_hint` or `sid` of the request. */
function matchesHint({ login_hint, sid }: Parameters, account: Account): boolean {
  if (sid) return account.sid === sid;
  const hint = login_hint?.trim().toLowerCase();
  const { id, alias, username } = account.user;
  return !hint || [id, alias, username].some((name) => name.toLowerCase() === hint);
}

const accountsFor = ({ authority }: AuthorizationRequest, signedIn: SignedIn | undefined): Account[] =>
  signedIn?.accounts.filter(({ user }) => mayUse(authority, user)) ?? [];

type FormCall = Call<{ readonly tenant: string }, Call['query'], Static<typeof SignInForm>>;

function takeForm(call: FormCall): Promise<Answer> {
  const attempt: Attempt = { flow: FLOW, tenant: call.params.tenant };
  return recorded(call, attempt, () => answerForm(call, attempt));
}

async function answerForm(call: FormCall, attempt: Attempt): Promise<Answer> {
  const { flow: sealed, username, password, account, other, cancel } = call.body;
  const flow = openFlow(call, sealed);
  attempt.clientId = flow.parameters.client_id;
  const request = await readRequest(call, flow.tenant, flow.version, flow.parameters);
  return orRefuse(call, request, attempt, async () => {
    const asked = readAsked(call, request);
    if (cancel !== undefined) throw identityErrors.AccessDenied();
    const signedIn = await readSession(call);
    if (account !== undefined) {
      const chosen = accountsFor(request, signedIn).find(({ user }) => user.id === account);
      if (chosen) return granted(attempt, asked, chosen.user, grant(call, request, asked, chosen.user, chosen.sid, {}));
      return showPassword(call, request);
    }
    if (other !== undefined || !username || !password) return showPassword(call, request, { username });
    attempt.username = username;
    const outcome = await tryPassword(call, request.authority, username, password);
    if (outcome instanceof IdentityError) {
      attempt.error = outcome;
      return showPassword(call, request, { username, problem: outcome.message, status: outcome.status });
    }
    const { sid, headers } = await signIn(call, outcome, signedIn);
    return granted(attempt, asked, outcome, grant(call, request, asked, outcome, sid, headers));
  });
}

async function orRefuse(
  call: Call,
  request: AuthorizationRequest,
  attempt: Attempt,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    attempt.error = error;
    return refuse(call, request, error);
  }
}

async function granted(attempt: Attempt, { target }: Asked, { id }: User, answer: Promise<Answer>): Promise<Answer> {
  Object.assign(attempt, { userId: id, target });
  const redirect = await answer;
  attempt.hasEnded = true;
  return redirect;
}
