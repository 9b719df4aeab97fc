import { sameText, sha256 } from '../../../kernel/auth/index.ts';
import {
  admitAttempt,
  type CredentialRefusal,
  countWrongCredential,
  retryHeaders,
} from '../../../kernel/limits/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { findByLogin } from '../access/find-principal.ts';
import { type Account, type Principal, principalKey, principals } from '../accounts/collections.ts';
import { accountOf } from '../accounts/found-account.ts';
import type { PlatformCall } from '../jar.ts';
import { SECRETS_AT_ONCE, WRONG_GRANTS, WRONG_SECRETS } from '../limits/wrong-credentials.ts';
import { principalSecrets } from './collections.ts';
import { oidcErrors } from './errors.ts';
import { accountById } from './place.ts';
import { digestOf } from './principal-secrets.ts';

export type Form = Readonly<Record<string, string>>;

/** Client credentials in a request, from HTTP Basic or the form. */
export interface Presented {
  readonly clientId: string | undefined;
  readonly secret: string | undefined;
}

export function presented({ headers }: Pick<PlatformCall, 'headers'>, form: Form): Presented {
  const header = headers.authorization;
  if (typeof header === 'string' && /^basic /i.test(header)) return fromBasic(header.slice('basic '.length));
  return { clientId: form.client_id || undefined, secret: form.client_secret || undefined };
}

function fromBasic(encoded: string): Presented {
  const text = Buffer.from(encoded.trim(), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw oidcErrors.invalid_client({}, CHALLENGE);
  return { clientId: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) || undefined };
}

/** Some clients encode both parts as RFC 6749 2.3.1 requires, others send them unencoded: text that cannot be decoded was not encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const CHALLENGE = { headers: { 'www-authenticate': 'Basic realm="cloudjar"' } };

export interface Client {
  readonly account: Account;
  readonly principal: Principal;
  readonly clientId: string;
  /** The scopes that the secret is limited to. */
  readonly scopes?: readonly string[];
}

/** The service principal of this client id and secret, in the account that the call names, or in any account. */
export async function authenticateClient(
  call: PlatformCall,
  { clientId, secret }: Presented,
  account: Account | undefined,
): Promise<Client> {
  if (clientId === undefined || secret === undefined) throw oidcErrors.invalid_client({}, CHALLENGE);
  const { jar, remoteAddress } = call;
  const scopes = { application: clientId.toLowerCase() };
  const guess = await admitAttempt({ jar, remoteAddress, wrong: WRONG_SECRETS, atOnce: SECRETS_AT_ONCE, scopes });
  if (!('done' in guess)) throw slowedDown(guess);
  guess.done();
  const found =
    (await bySecret(call, clientId, secret, account)) ?? (await byDirectory(call, clientId, secret, account));
  if (found?.principal.active) return found;
  const limits = [WRONG_SECRETS, WRONG_GRANTS];
  const tooMany = await countWrongCredential({ jar, remoteAddress, limits, scopes });
  throw tooMany ? slowedDown(tooMany) : oidcErrors.invalid_client({}, CHALLENGE);
}

const slowedDown = (tooMany: CredentialRefusal) =>
  oidcErrors.invalid_client__Slow({ seconds: tooMany.retryAfterSeconds }, { headers: retryHeaders(tooMany) });

/** Authenticates with a secret of the service principal. */
async function bySecret(
  { jar }: PlatformCall,
  clientId: string,
  value: string,
  within: Account | undefined,
): Promise<Client | undefined> {
  const digest = digestOf(value);
  const now = jar.clock.now();
  const held = await readAll(jar.store, principalSecrets, { filter: eq('application', clientId.toLowerCase()) });
  const found = held.find(
    ({ value: it }) => it.expiresAt > now && (!within || it.accountId === within.id) && sameText(it.digest, digest),
  )?.value;
  if (!found) return undefined;
  const account = within ?? (await accountById({ jar }, found.accountId));
  const principal = (await jar.store.get(principals, principalKey(found.accountId, found.principal)))?.value;
  return account && principal && { account, principal, clientId, ...(found.scopes && { scopes: found.scopes }) };
}

/** Authenticates with the secret of an application of the directory, which must be a service principal in its tenant's account. */
async function byDirectory(
  { jar }: PlatformCall,
  clientId: string,
  secret: string,
  within: Account | undefined,
): Promise<Client | undefined> {
  const application = await jar.directory.findApplication(clientId);
  if (!application || application.public || application.id.toLowerCase() !== clientId.toLowerCase()) return undefined;
  const expected = application.secretHash ?? sha256(jar.seedCredentials.applicationSecret);
  if (!sameText(sha256(secret), expected)) return undefined;
  const account = await accountOf(jar, application.tenantId);
  if (within && within.id !== account.id) return undefined;
  const place = { id: account.defaultWorkspace, accountId: account.id };
  const principal = await findByLogin(jar.store, place, ['servicePrincipal'], clientId);
  return principal && { account, principal, clientId };
}
