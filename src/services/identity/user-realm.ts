import { Type } from 'typebox';
import { knownOrigin } from '../../kernel/auth/index.ts';
import { ok, type Route } from '../../kernel/http/index.ts';
import { route } from './family.ts';

const Realm = Type.Object({ ver: Type.String(), account_type: Type.Enum(['Managed', 'Unknown']) });

/**
 * Libraries ask how a user signs in before they send a password. The answer depends only on the domain, so that it does not reveal which
 * accounts exist. The jar has no federation with other identity providers.
 */
export const userRealmRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/common/userrealm/{user}',
    operation: 'Identity_UserRealm',
    summary: 'How the users of a domain sign in',
    open: true,
    traits: { cors: true },
    responses: { 200: Realm },
    async handle(call) {
      const { user } = call.params;
      const domain = user.slice(user.lastIndexOf('@') + 1).toLowerCase();
      const managed = user.includes('@') && (await call.jar.directory.tenant(domain)) !== undefined;
      return ok({
        ver: '1.0',
        account_type: managed ? 'Managed' : 'Unknown',
        ...(managed && { domain_name: domain }),
        cloud_instance_name: new URL(knownOrigin(call)).host,
        cloud_audience_urn: 'urn:federation:cloudjar',
      });
    },
  }),
];
