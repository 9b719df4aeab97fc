import { type Static, Type } from 'typebox';
import type { Application } from '../../kernel/auth/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { checkRedirectUri, findClient } from './clients.ts';
import type { Grant, Wanted } from './collections.ts';
import { identityErrors } from './errors.ts';
import { type Target, userTarget } from './scopes.ts';
import { type Authority, authorityOf } from './tenants.ts';

const text = Type.Optional(Type.String());

/** The parameters of an authorization request, from a query or a form; unknown ones are ignored. */
export const AuthorizeParameters = Type.Object({
  client_id: text,
  redirect_uri: text,
  response_type: text,
  response_mode: text,
  resource: text,
  scope: text,
  state: text,
  nonce: text,
  prompt: text,
  login_hint: text,
  sid: text,
  domain_hint: text,
  code_challenge: text,
  code_challenge_method: text,
  client_info: text,
  'client-request-id': text,
});
export type Parameters = Static<typeof AuthorizeParameters>;

export type ResponseMode = 'query' | 'fragment' | 'form_post';

/** An authorization request whose application and redirect URI are valid. */
export interface AuthorizationRequest {
  readonly authority: Authority;
  readonly version: Wanted['version'];
  readonly client: Application;
  readonly redirectUri: string;
  readonly mode: ResponseMode;
  readonly state: string | undefined;
  readonly parameters: Parameters;
}

/** The requested tokens and scopes, validated. */
export interface Asked {
  readonly code: boolean;
  readonly token: boolean;
  readonly idToken: boolean;
  readonly target: Target;
  readonly wanted: Wanted;
  readonly challenge: NonNullable<Grant['code']>['challenge'];
  readonly prompts: ReadonlySet<string>;
}

/** Errors here are shown only to the user, because the redirect URI cannot be trusted yet. */
export async function readRequest(
  call: Call,
  tenant: string,
  version: Wanted['version'],
  parameters: Parameters,
): Promise<AuthorizationRequest> {
  const authority = await authorityOf(call.jar, tenant);
  const client = await findClient(call.jar, parameters.client_id);
  const redirectUri = checkRedirectUri(call, client, parameters.redirect_uri);
  return { authority, version, client, redirectUri, mode: modeOf(parameters), state: parameters.state, parameters };
}

const typesOf = ({ response_type = '' }: Parameters): string[] => response_type.split(/\s+/).filter(Boolean);

/** Tokens are never sent in a query, which ends up in logs and browser histories; neither is the refusal of such a request. */
function modeOf(parameters: Parameters): ResponseMode {
  const carriesTokens = typesOf(parameters).some((type) => type !== 'code');
  const mode = parameters.response_mode;
  if (mode === 'form_post' || mode === 'fragment') return mode;
  return carriesTokens ? 'fragment' : 'query';
}

const RESPONSE_TYPES = new Set(['code', 'token', 'id_token']);
const MODES = new Set(['query', 'fragment', 'form_post']);
const PROMPTS = new Set(['none', 'login', 'select_account', 'consent', 'admin_consent']);

/** Errors here are sent to the application. */
export function readAsked(call: Call, request: AuthorizationRequest): Asked {
  const { parameters, client, version } = request;
  const types = new Set(typesOf(parameters));
  const type = [...types].join(' ');
  if (types.size === 0) throw identityErrors.MissingParameter({ name: 'response_type' });
  if ([...types].some((each) => !RESPONSE_TYPES.has(each))) throw identityErrors.UnsupportedResponseType({ type });
  const [code, token, idToken] = [types.has('code'), types.has('token'), types.has('id_token')];
  if ((token || idToken) && !client.implicit) throw identityErrors.ResponseTypeNotEnabled({ type, client: client.id });
  const mode = parameters.response_mode;
  if (mode !== undefined && (!MODES.has(mode) || (mode === 'query' && (token || idToken)))) {
    throw identityErrors.UnsupportedResponseMode({ mode, type });
  }
  if (idToken && !parameters.nonce) throw identityErrors.MissingParameter({ name: 'nonce' });
  const wanted: Wanted = { version, resource: parameters.resource, scope: parameters.scope };
  const target = userTarget({ call, client, authority: request.authority }, wanted);
  if (idToken && version === '2.0' && !target.openid) {
    throw identityErrors.InvalidScope({ reason: "an id token requires the scope 'openid'." });
  }
  return { code, token, idToken, target, wanted, challenge: challengeOf(parameters), prompts: promptsOf(parameters) };
}

function challengeOf({
  code_challenge: value,
  code_challenge_method: method = 'plain',
}: Parameters): Asked['challenge'] {
  if (value === undefined) return undefined;
  if (method !== 'S256' && method !== 'plain') {
    throw identityErrors.MalformedRequest({
      reason: `the code_challenge_method '${method}' is not supported; use 'S256'.`,
    });
  }
  if (!/^[\w.~-]{43,128}$/.test(value)) {
    throw identityErrors.MalformedRequest({
      reason: 'the code_challenge must be 43 to 128 letters, digits, or one of -._~',
    });
  }
  return { method, value };
}

function promptsOf({ prompt = '' }: Parameters): ReadonlySet<string> {
  const prompts = new Set(prompt.split(/\s+/).filter(Boolean));
  const contradictory = prompts.has('none') && prompts.size > 1;
  if ([...prompts].some((each) => !PROMPTS.has(each)) || contradictory)
    throw identityErrors.UnsupportedPrompt({ prompt });
  return prompts;
}
