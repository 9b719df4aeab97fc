import type { Bench, Reply } from '../../../support/jars.ts';
import { type Ask, good, person } from '../support.ts';

export const USERS = '/preview/scim/v2/Users';
export const GROUPS = '/preview/scim/v2/Groups';
export const SERVICE_PRINCIPALS = '/preview/scim/v2/ServicePrincipals';
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export { withoutRates } from '../support.ts';

export async function accountOf(bench: Bench): Promise<string> {
  const { body } = await bench.call('GET', '/.well-known/databricks-config', {
    token: null,
    headers: { host: `${await workspaceOf(await person(bench))}.platform.localhost` },
  });
  return body.account_id;
}

export async function workspaceOf(ask: Ask): Promise<string> {
  return (await ask('GET', '/preview/scim/v2/Me')).headers.get('x-databricks-org-id') as string;
}

export const patch = (ask: Ask, path: string, ...Operations: readonly object[]): Promise<Reply> =>
  ask('PATCH', path, { schemas: [PATCH_SCHEMA], Operations });

export async function user(ask: Ask, name: string, more: object = {}): Promise<Reply['body']> {
  return good(ask('POST', USERS, { userName: `${name}@contoso.example`, ...more }), 201);
}

export async function group(ask: Ask, displayName: string, ...members: readonly string[]): Promise<Reply['body']> {
  return good(ask('POST', GROUPS, { displayName, members: members.map((value) => ({ value })) }), 201);
}

export const list = (ask: Ask, path: string, query: Readonly<Record<string, string>> = {}): Promise<Reply['body']> =>
  good(ask('GET', `${path}?${new URLSearchParams(query)}`), 200);

/** The relevant fields of a SCIM error. */
export const scimRefusal = ({ status, body }: Reply) => ({
  status,
  scimType: body?.scimType,
  code: body?.error_code,
  detail: body?.detail,
});
