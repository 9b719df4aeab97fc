import type { User } from '../../kernel/auth/index.ts';
import type { Answer, ApiError } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { describe } from './family.ts';
import { newCode } from './grants.ts';
import { clientInfo, idToken, userToken } from './issue.ts';
import { formPostPage } from './pages/messages.ts';
import type { Asked, AuthorizationRequest } from './request.ts';
import type { Headers } from './sessions.ts';
import { memberAt } from './tenants.ts';

/** Redirects the user to the application with the requested codes and tokens. */
export async function grant(
  call: Call,
  request: AuthorizationRequest,
  asked: Asked,
  user: User,
  sid: string,
  headers: Headers,
): Promise<Answer> {
  const { client, version, parameters } = request;
  const { nonce } = parameters;
  const member = memberAt(request.authority, user);
  const fields: Record<string, string> = {};
  if (asked.code) {
    const { wanted, challenge } = asked;
    const given = { clientId: client.id, userId: user.id, wanted };
    fields.code = await newCode(call.jar, given, { redirectUri: request.redirectUri, nonce, challenge });
  }
  if (asked.token) {
    const issued = await userToken(call, client, member, asked.target, version);
    fields.access_token = issued.token;
    fields.token_type = 'Bearer';
    fields.expires_in = String(issued.expiresIn);
    if (version === '2.0') fields.scope = asked.target.granted;
  }
  if (asked.idToken) {
    const { access_token: accessToken, code } = fields;
    fields.id_token = await idToken(call, client, member, { version, nonce, sid, accessToken, code });
  }
  if (parameters.client_info === '1') fields.client_info = clientInfo(user);
  return respond(request, { ...fields, session_state: sid }, headers);
}

/** Redirects the user to the application with an error. */
export function refuse(call: Call, request: AuthorizationRequest, error: ApiError, headers: Headers = {}): Answer {
  const { error: code, error_description } = describe(error, call);
  return respond(request, { error: code, error_description }, headers);
}

function respond(
  { redirectUri, mode, state }: AuthorizationRequest,
  outcome: Readonly<Record<string, string>>,
  headers: Headers,
): Answer {
  const fields = { ...outcome, ...(state !== undefined && { state }) };
  if (mode === 'form_post') return formPostPage(redirectUri, fields, headers);
  // Blanks are written as %20: not every client decodes a plus sign in a fragment.
  const encoded = Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const joint = mode === 'fragment' ? '#' : redirectUri.includes('?') ? '&' : '?';
  return { status: 302, headers: { ...headers, location: `${redirectUri}${joint}${encoded}` } };
}
