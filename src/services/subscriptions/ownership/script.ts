import { OWNERSHIP_APPLICATION, OWNERSHIP_SCOPE, SIGNED_IN_PATH } from './application.ts';

/**
 * The script of the page for new owners. It signs the owner in at the jar's identity service with an authorization code and PKCE, as any
 * browser application would, and calls the management API with the token. Content from answers is inserted as text, never as HTML.
 */
export const OWNERSHIP_SCRIPT = `
const CLIENT = ${JSON.stringify(OWNERSHIP_APPLICATION.id)};
const REDIRECT = location.origin + ${JSON.stringify(SIGNED_IN_PATH)};
const OAUTH = '/organizations/oauth2/v2.0/';
const KEPT = 'cloudjar.ownership';
const VERSION = '?api-version=2021-10-01';
// Without slashes that the jar ignores: two in front would be another host, and one at the end would not take a suffix.
const ownPath = () => '/' + location.pathname.split('/').filter(Boolean).join('/');
const element = (id) => document.getElementById(id);

function say(text, isProblem) {
  element('status').textContent = text;
  element('status').className = isProblem ? 'problem' : '';
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

async function signIn(path) {
  const kept = { path, verifier: random(), state: random() };
  sessionStorage.setItem(KEPT, JSON.stringify(kept));
  // Browsers hash only for pages that came over a safe connection.
  const hash = crypto.subtle && (await crypto.subtle.digest('SHA-256', new TextEncoder().encode(kept.verifier)));
  location.assign(OAUTH + 'authorize?' + new URLSearchParams({
    client_id: CLIENT,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: ${JSON.stringify(OWNERSHIP_SCOPE)},
    state: kept.state,
    code_challenge: hash ? base64url(hash) : kept.verifier,
    code_challenge_method: hash ? 'S256' : 'plain',
    prompt: 'select_account',
  }));
}

async function tokenFor(code, verifier) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code', client_id: CLIENT, code, redirect_uri: REDIRECT, code_verifier: verifier,
  });
  const answer = await (await fetch(OAUTH + 'token', { method: 'POST', body })).json();
  if (!answer.access_token) throw new Error(answer.error_description);
  return answer.access_token;
}

async function call(token, path, options) {
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
  const response = await fetch(path, { ...options, headers });
  const text = await response.text();
  const body = text === '' ? {} : JSON.parse(text);
  if (!response.ok) throw new Error(body.error?.message ?? 'The jar answered ' + response.status + '.');
  return { response, body };
}

async function accept(token, path) {
  const properties = { displayName: element('name').value };
  let { response, body } = await call(token, path + VERSION, { method: 'POST', body: JSON.stringify({ properties }) });
  const poll = new URL(response.headers.get('location'));
  // The answer to a poll is held back while the acceptance runs.
  while (response.status === 202) ({ response, body } = await call(token, poll.pathname + poll.search));
  element('accept').hidden = true;
  say('You own the subscription ' + body.subscriptionLink.split('/').at(-1) + ' now.');
}

async function offer(token, path) {
  const { body } = await call(token, path + 'Status' + VERSION);
  if (body.acceptOwnershipState !== 'Pending') {
    say('The ownership of this subscription is ' + body.acceptOwnershipState.toLowerCase() + '.');
    return;
  }
  say(body.billingOwner + ' has created the subscription ' + body.subscriptionId + ' for you.');
  element('name').value = body.displayName;
  element('accept').hidden = false;
  element('accept').onsubmit = (event) => {
    event.preventDefault();
    attempt(() => accept(token, path));
  };
}

/** Back from the sign-in page. */
async function signedIn(query, kept) {
  if (!kept || query.get('state') !== kept.state) throw new Error('The sign-in did not begin on this page.');
  history.replaceState(null, '', kept.path);
  if (query.has('error')) throw new Error(query.get('error_description') ?? query.get('error'));
  await offer(await tokenFor(query.get('code'), kept.verifier), kept.path);
}

function attempt(action) {
  action().catch((error) => {
    say(error.message, true);
    offerSignIn();
  });
}

function offerSignIn() {
  element('sign-in').hidden = !ownPath().toLowerCase().includes('/subscriptions/');
  element('sign-in').onclick = () => attempt(() => signIn(ownPath()));
}

const query = new URLSearchParams(location.search);
if (query.has('state')) {
  const kept = JSON.parse(sessionStorage.getItem(KEPT));
  sessionStorage.removeItem(KEPT);
  attempt(() => signedIn(query, kept));
} else {
  say('Sign in as the future owner of the subscription to accept it.');
  offerSignIn();
}
`;
