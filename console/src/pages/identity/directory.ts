import { control, dataOf } from '../../shared/api/control.ts';
import { type Data, useData } from '../../shared/api/use-data.ts';
import type { RowOf } from '../../shared/list/pages.ts';

export type User = RowOf<'/_jar/users'>;
export type Application = RowOf<'/_jar/applications'>;
export type SignIn = RowOf<'/_jar/sign-ins'>;
export type Tenant = RowOf<'/_jar/tenants'>;

export function useTenants(): Data<readonly Tenant[]> {
  return useData(['tenants'], async (signal) => (await dataOf(control.GET('/_jar/tenants', { signal }))).value, {
    on: ['changes'],
  });
}

/** A tenant in words; its id if it does not exist any more. */
export const tenantName = (tenants: readonly Tenant[] | undefined, id: string): string =>
  tenants?.find((tenant) => tenant.id === id)?.displayName ?? id;

/** Writes a user with some members changed. The password stays if none is given. */
export function putUser(user: User, members: { readonly enabled?: boolean; readonly password?: string }) {
  const { id, username, alias, displayName, givenName, surname, tenantId, guestOf, attributes, enabled } = user;
  const body = {
    username,
    alias,
    displayName,
    tenantId,
    attributes,
    enabled,
    ...(givenName !== undefined && { givenName }),
    ...(surname !== undefined && { surname }),
    ...(guestOf !== undefined && { guestOf }),
    ...members,
  };
  return dataOf(control.PUT('/_jar/users/{id}', { params: { path: { id } }, body }));
}

/** Writes an application with a new secret; its certificates stay. */
export function putSecret(application: Application, secret: string) {
  const { id, alias, displayName, tenantId, public: isPublic, implicit, redirectUris } = application;
  const body = { alias, displayName, tenantId, public: isPublic, implicit, redirectUris, secret };
  return dataOf(control.PUT('/_jar/applications/{id}', { params: { path: { id } }, body }));
}
