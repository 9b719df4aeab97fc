import { PAGE_APPLICATION, PAGE_SCOPE, SIGNED_IN_PATH } from '../application.ts';

/** Signs the user in at the jar's identity service with an authorization code and PKCE, as any browser application does. */
export const SIGN_IN = `
const CLIENT = ${JSON.stringify(PAGE_APPLICATION.id)};
const SCOPE = ${JSON.stringify(PAGE_SCOPE)};
const SIGNED_IN_PATH = ${JSON.stringify(SIGNED_IN_PATH)};
const REDIRECT = location.origin + SIGNED_IN_PATH;
const OAUTH = '/organizations/oauth2/v2.0/';
const FLOW = 'cloudjar.mail.flow';
const TOKEN = 'cloudjar.mail.token';

const stored = (name) => JSON.parse(sessionStorage.getItem(name) ?? 'null');
const isSignedIn = () => (stored(TOKEN)?.until ?? 0) > Date.now();
const signOut = () => sessionStorage.removeItem(TOKEN);

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

async function signIn(address, prompt) {
  const flow = { address, verifier: random(), state: random() };
  sessionStorage.setItem(FLOW, JSON.stringify(flow));
  // Browsers offer hashing only to pages from a secure origin.
  const hash = crypto.subtle && (await crypto.subtle.digest('SHA-256', new TextEncoder().encode(flow.verifier)));
  location.assign(OAUTH + 'authorize?' + new URLSearchParams({
    client_id: CLIENT,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: SCOPE,
    state: flow.state,
    code_challenge: hash ? base64url(hash) : flow.verifier,
    code_challenge_method: hash ? 'S256' : 'plain',
    ...(prompt && { prompt }),
  }));
}

/** Path and query, always used after the origin: a path that begins with two slashes must not lead to another host. */
const ownAddress = () => location.pathname + location.search;

/** Exchanges the code, and returns to the URL at which the sign-in began. */
async function finishSignIn(query) {
  const flow = stored(FLOW);
  sessionStorage.removeItem(FLOW);
  if (!flow || query.get('state') !== flow.state) throw new Problem('The sign-in did not begin on this page.', '/mail/');
  if (query.has('error')) throw new Problem(query.get('error_description') ?? query.get('error'), flow.address);
  const body = new URLSearchParams({
    grant_type: 'authorization_code', client_id: CLIENT, code: query.get('code') ?? '', redirect_uri: REDIRECT, code_verifier: flow.verifier,
  });
  const answer = await (await fetch(OAUTH + 'token', { method: 'POST', body })).json();
  if (!answer.access_token) throw new Problem(answer.error_description, flow.address);
  const until = Date.now() + answer.expires_in * 1000;
  sessionStorage.setItem(TOKEN, JSON.stringify({ token: answer.access_token, until }));
  location.replace(location.origin + flow.address);
}
`;
