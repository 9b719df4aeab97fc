import { type Application, knownOrigin, sameText, sha256 } from '../../kernel/auth/index.ts';
import { admitAttempt, countWrongCredential } from '../../kernel/limits/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import { ASSERTION_TYPE, checkAssertion } from './assertions.ts';
import { type IdentityError, identityErrors } from './errors.ts';
import { SECRETS_AT_ONCE, WRONG_SECRETS } from './limits.ts';
import { rateLimitError } from './rate-limit-error.ts';

/** Client applications: lookup, authentication and redirect URIs. */

export async function findClient(jar: Jar, clientId: string | undefined): Promise<Application> {
  if (clientId === undefined || clientId === '') throw identityErrors.MissingParameter({ name: 'client_id' });
  const client = await jar.directory.findApplication(clientId);
  // Aliases are for people at the command line; in requests only the client id is valid.
  if (!client || client.id.toLowerCase() !== clientId.toLowerCase())
    throw identityErrors.UnknownClient({ client: clientId });
  return client;
}

interface Presented {
  readonly clientId: string | undefined;
  readonly secret: string | undefined;
  readonly assertion: string | undefined;
}

/** Confidential clients send their secret in the body or with HTTP Basic, or an assertion; public clients have no credentials. */
export async function authenticateClient(call: Call, form: Readonly<Record<string, string>>): Promise<Application> {
  const { clientId, secret, assertion } = presented(call, form);
  const client = await findClient(call.jar, clientId);
  if (client.public) {
    if (secret !== undefined || assertion !== undefined) throw identityErrors.PublicClientSecret({ client: client.id });
    return client;
  }
  if (assertion !== undefined) {
    await checkAssertion(call, client, assertion);
    return client;
  }
  if (secret === undefined) throw identityErrors.SecretMissing({ client: client.id });
  const expected = client.secretHash ?? sha256(call.jar.seedCredentials.applicationSecret);
  const { jar, remoteAddress } = call;
  const guesses = { wrong: WRONG_SECRETS, atOnce: SECRETS_AT_ONCE, scopes: { application: client.id } };
  const guess = await admitAttempt({ jar, remoteAddress, ...guesses });
  if (!('done' in guess)) throw rateLimitError(identityErrors.TooManyWrongSecrets, guess);
  guess.done();
  if (!sameText(sha256(secret), expected)) throw await wrongSecret(call, client);
  return client;
}

async function wrongSecret({ jar, remoteAddress }: Call, client: Application): Promise<IdentityError> {
  const scopes = { application: client.id };
  const tooMany = await countWrongCredential({ jar, remoteAddress, limits: [WRONG_SECRETS], scopes });
  return tooMany
    ? rateLimitError(identityErrors.TooManyWrongSecrets, tooMany)
    : identityErrors.SecretWrong({ client: client.id });
}

function presented(call: Call, form: Readonly<Record<string, string>>): Presented {
  const header = call.headers.authorization;
  const assertion = form.client_assertion || undefined;
  const inBody: Presented = {
    clientId: form.client_id || undefined,
    secret: form.client_secret || undefined,
    assertion,
  };
  if (assertion !== undefined) {
    if (form.client_assertion_type !== ASSERTION_TYPE) throw identityErrors.AssertionTypeUnsupported();
    if (inBody.secret !== undefined) {
      throw identityErrors.MalformedRequest({ reason: "it has both 'client_secret' and 'client_assertion'." });
    }
  }
  if (typeof header !== 'string' || !/^basic /i.test(header)) return inBody;
  const [name, password] = fromBasic(header);
  if (inBody.clientId !== undefined && inBody.clientId.toLowerCase() !== name.toLowerCase()) {
    throw identityErrors.MalformedRequest({
      reason: "the body and the 'Authorization' header name different applications.",
    });
  }
  return { clientId: name, secret: password, assertion };
}

/** RFC 6749 2.3.1: both parts are form-encoded before they are joined. */
function fromBasic(header: string): [name: string, password: string] {
  const text = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  try {
    const [name, password] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    );
    if (colon > 0 && name !== undefined && password !== undefined) return [name, password];
  } catch {
    // Continues to the common error for unreadable headers.
  }
  throw identityErrors.MalformedRequest({ reason: "the 'Authorization' header is not a valid Basic one." });
}

/** The redirect URI of a request; throws unless the application registered it. */
export function checkRedirectUri(call: Call, client: Application, asked: string | undefined): string {
  const { redirectUris } = client;
  const uris = redirectUris.map((uri) => ownPage(call, uri));
  if (asked === undefined || asked === '') {
    const [only, ...others] = uris;
    if (only === undefined || others.length > 0) throw identityErrors.NoRedirect({ client: client.id });
    return only;
  }
  // The loopback rule checks the URIs as registered: a page of the jar has the jar's own port, even if its address omits the port.
  const registered = uris.includes(asked) || (client.public && redirectUris.some((uri) => isLoopbackOf(uri, asked)));
  if (!registered) throw identityErrors.RedirectMismatch({ uri: asked, client: client.id });
  return asked;
}

/** A registered path without a host is a page of the jar, at the address that the user is using. */
const ownPage = (call: Call, uri: string): string => (uri.startsWith('/') ? knownOrigin(call) + uri : uri);

/** A command line listens on any free port, so a client that registered a loopback URI without a port may use every port. */
function isLoopbackOf(registered: string, asked: string): boolean {
  const [to, from] = [URL.parse(registered), URL.parse(asked)];
  if (!to || !from || !/^http:\/\/(localhost|127\.0\.0\.1)(\/|$)/i.test(registered)) return false;
  const plain =
    from.username === '' && from.password === '' && from.hash === '' && /^[\x21-\x5b\x5d-\x7e]+$/.test(asked);
  return (
    plain &&
    from.protocol === 'http:' &&
    to.hostname === from.hostname &&
    to.pathname === from.pathname &&
    to.search === from.search
  );
}
