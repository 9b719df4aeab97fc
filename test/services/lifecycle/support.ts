import type { Bench, CallOptions, Reply } from '../../support/jars.ts';

/** A caller of the app lifecycle API with a token. */
export interface Person {
  readonly name: string;
  readonly email: string;
  readonly token: string;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
}

/** Calls `/v0.1` with a token: `await by(bench, token)('GET', '/user')`. */
export const by =
  (bench: Bench, token: string): Person['call'] =>
  (method, path, body, { headers, ...options } = {}) => {
    const sent = body === undefined ? {} : { body };
    return bench.call(method, `/v0.1${path}`, {
      ...options,
      ...sent,
      token: null,
      headers: { 'x-api-token': token, ...headers },
    });
  };

export async function administrator(bench: Bench): Promise<Person> {
  const { lifecycle: token } = await bench.jar.keys();
  return { name: 'admin', email: 'admin@vendor.example', token, call: by(bench, token) };
}

const byAdminKey = ({ jar }: Bench) => ({ token: null, headers: { authorization: `Bearer ${jar.adminKey}` } });

/** Creates an account with a token, by default with full access. A repeated call for the same name creates another token. */
export async function person(bench: Bench, name: string, scope: 'all' | 'viewer' = 'all'): Promise<Person> {
  const user = await bench.call('PUT', `/_jar/lifecycle/users/${name}`, { ...byAdminKey(bench), body: {} });
  const made = await bench.call('POST', `/_jar/lifecycle/users/${name}/tokens`, {
    ...byAdminKey(bench),
    body: { scope: [scope] },
  });
  const token: string = made.body.api_token;
  return { name, email: user.body.email, token, call: by(bench, token) };
}

/** The tokens of pending invitations to this address. */
export async function invitationsTo(bench: Bench, email: string): Promise<string[]> {
  const list = await bench.call(
    'GET',
    `/_jar/lifecycle/invitations?email=${encodeURIComponent(email)}`,
    byAdminKey(bench),
  );
  return list.body.value.map((each: { invitation_token: string }) => each.invitation_token);
}

const OF_AN_APP = { os: 'Android', platform: 'Java' };

/** Creates an app; its path is `/apps/{owner}/{name}`. */
export async function makeApp(owner: Person, name: string, given: object = {}): Promise<Reply['body']> {
  const reply = await owner.call('POST', '/apps', { display_name: name, name, ...OF_AN_APP, ...given });
  if (reply.status !== 201) throw new Error(`the app '${name}' could not be made: ${reply.text}`);
  return reply.body;
}
