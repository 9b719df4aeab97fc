export type Claims = Readonly<Record<string, unknown>>;

export interface Decoded {
  readonly header: Claims;
  readonly claims: Claims;
  readonly isSigned: boolean;
}

/** The parts of a JSON Web Token, read in the browser. The signature is not checked. */
export function decode(token: string): Decoded | { readonly problem: string } {
  const text = token.trim().replace(/^Bearer\s+/i, '');
  const [head = '', body = '', signature = '', ...more] = text.split('.');
  if (body === '' || more.length > 0) return { problem: 'A token has three parts with dots between them.' };
  const header = partOf(head);
  const claims = partOf(body);
  if (!header || !claims) return { problem: 'The parts of the token are not JSON in Base64.' };
  return { header, claims, isSigned: signature !== '' };
}

function partOf(part: string): Claims | undefined {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}

/** What the claims mean. */
export const MEANINGS: Readonly<Record<string, string>> = {
  aud: 'Audience: the API that it is for',
  iss: 'Issuer: the tenant of the jar that issued it',
  iat: 'Issued at',
  nbf: 'Not valid before',
  exp: "Expires, by the jar's clock",
  wall_exp: "Expires, by the system's clock; the later of both counts",
  sub: 'Subject: the user or the application, as the application sees it',
  oid: 'Object id of the user or of the service principal',
  tid: 'Tenant id',
  idtyp: 'Whether it is of a user or of an application',
  appid: 'Client id of the application that requested it',
  azp: 'Client id of the application that requested it',
  appidacr: 'How the application proved itself: 0 not at all, 1 by a secret or certificate',
  azpacr: 'How the application proved itself: 0 not at all, 1 by a secret or certificate',
  scp: 'Scopes: what the application may do for the user',
  roles: 'What the application may do for itself',
  upn: 'Sign-in name',
  unique_name: 'Sign-in name',
  preferred_username: 'Sign-in name, for display',
  email: 'Email address',
  name: 'Display name',
  given_name: 'First name',
  family_name: 'Last name',
  ver: 'Version of the token',
  uti: 'Id of the token',
  nonce: 'Value of the authorization request, against replay',
  sid: 'Session of the sign-in',
  at_hash: 'Hash of the access token that came with it',
  c_hash: 'Hash of the code that came with it',
  jar: 'The jar that issued it',
  jar_read_only: 'Permits reading only: it was issued to a reader of this console',
};

const TIMES = new Set(['iat', 'nbf', 'exp', 'wall_exp']);

/** The milliseconds of a claim that is a time. */
export function timeOf(name: string, value: unknown): number | undefined {
  return TIMES.has(name) && typeof value === 'number' ? value * 1000 : undefined;
}
