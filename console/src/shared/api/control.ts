import createClient, { type Middleware } from 'openapi-fetch';
import { failureOf } from './failure.ts';
import type { paths } from './generated/control.ts';
import { sessionEnded } from './session.ts';

export type { components, operations, paths } from './generated/control.ts';

/** Marks requests of the console, which the jar leaves out of its list of requests while they succeed. */
export const CONSOLE_HEADERS = { 'x-cloudjar-console': '1' } as const;

const SESSION_PATH = '/_jar/console/session';

/** Error answers become exceptions, so that a caller gets data or a `Failure`. */
const failing: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return undefined;
    const failure = failureOf(response.status, await bodyOf(response));
    if (response.status === 401 && !response.url.includes(SESSION_PATH)) sessionEnded.announce();
    throw failure;
  },
};

/** The control API, typed by its OpenAPI document. Authenticated by the session cookie. */
export const control = createClient<paths>({ baseUrl: location.origin, headers: CONSOLE_HEADERS });
control.use(failing);

/** The data of an answer of `control`: `await dataOf(control.GET('/_jar/clock'))`. */
export async function dataOf<T>(answer: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  const { data } = await answer;
  return data as NonNullable<T>;
}

export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
