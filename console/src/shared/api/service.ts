import { bodyOf, CONSOLE_HEADERS, control, dataOf } from './control.ts';
import { failureOf } from './failure.ts';

export interface ServiceRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The user or application whose token is sent: an alias, an id or a user name. Default: the seeded administrator. */
  readonly as?: string;
  /** Sends no token; the caller sends a credential in `headers`. */
  readonly anonymous?: boolean;
  readonly signal?: AbortSignal;
}

export interface ServiceAnswer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** Tokens stay in memory and end with the page. */
const tokens = new Map<string, Promise<string>>();

/** A token for an API of the jar; a person who may only read gets one that only reads. */
export function tokenFor(user = 'admin'): Promise<string> {
  const known = tokens.get(user);
  if (known) return known;
  const issued = dataOf(control.POST('/_jar/tokens', { body: { user } })).then(({ access_token }) => access_token);
  tokens.set(user, issued);
  issued.catch(() => tokens.delete(user));
  return issued;
}

/** Calls an API of a service; throws a `Failure` for an error answer. */
export async function askService<T>(path: string, request: ServiceRequest = {}): Promise<ServiceAnswer<T>> {
  const first = await send(path, request);
  // The token may have expired: the jar's clock moves.
  const response =
    first.status === 401 && !request.anonymous && tokens.delete(request.as ?? 'admin')
      ? await send(path, request)
      : first;
  const body = response.status === 204 ? undefined : await bodyOf(response);
  if (!response.ok) throw failureOf(response.status, body);
  return { status: response.status, headers: response.headers, body: body as T };
}

async function send(
  path: string,
  { method = 'GET', body, headers, as, anonymous, signal }: ServiceRequest,
): Promise<Response> {
  const token = anonymous ? undefined : await tokenFor(as);
  const isText = typeof body === 'string';
  return fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...CONSOLE_HEADERS,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': isText ? 'text/plain' : 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
    credentials: 'omit',
    cache: 'no-store',
  });
}
