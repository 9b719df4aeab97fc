import createClient, { type Middleware } from 'openapi-fetch';
import { bodyOf, CONSOLE_HEADERS, control, dataOf } from '../../shared/api/control.ts';
import { failureOf } from '../../shared/api/failure.ts';
import type { operations, paths } from '../../shared/api/generated/lifecycle.ts';

type Answer<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type App = Answer<'Lifecycle_apps_list'>[number];
export type ApiToken = Answer<'Lifecycle_appApiTokens_list'>[number];
export type ErrorGroup = NonNullable<Answer<'Lifecycle_errors_groupList'>['errorGroups']>[number];

/** What names an app in the paths of the API. */
export interface AppName {
  readonly owner_name: string;
  readonly app_name: string;
}

/** The service has tokens of its own; this one is kept in memory only, like those of other services. */
let key: Promise<string> | undefined;

function apiToken(): Promise<string> {
  key ??= dataOf(control.GET('/_jar/keys')).then((keys) => String((keys as Record<string, unknown>).lifecycle));
  key.catch(() => {
    key = undefined;
  });
  return key;
}

const authenticated: Middleware = {
  async onRequest({ request }) {
    request.headers.set('x-api-token', await apiToken());
    return request;
  },
  async onResponse({ response }) {
    if (response.ok) return undefined;
    // After a reset, the service has other tokens.
    if (response.status === 401) key = undefined;
    throw failureOf(response.status, await bodyOf(response));
  },
};

/** The API of the service, typed by its OpenAPI document. */
export const lifecycle = createClient<paths>({
  baseUrl: location.origin,
  headers: CONSOLE_HEADERS,
  credentials: 'omit',
  cache: 'no-store',
});
lifecycle.use(authenticated);

export const nameOf = ({ owner, name }: App): AppName => ({ owner_name: owner.name, app_name: name });
