import { expect, it } from 'vitest';
import type { Caller } from '../../../../src/kernel/auth/caller.ts';
import type { Call } from '../../../../src/kernel/service/routes.ts';
import { actorOf, checkPermission, type Permission } from '../../../../src/services/business/users/permissions.ts';

const TENANT = '10000000-0000-4000-8000-000000000001';

const caller = (changes: Partial<Caller>): Caller => ({
  kind: 'user',
  tenantId: TENANT,
  objectId: 'o',
  applicationId: 'a',
  name: 'somebody',
  scopes: ['user_impersonation'],
  audience: 'x',
  readOnly: false,
  expiresAt: 0,
  claims: {},
  ...changes,
});

/** A call by a caller with these directory attributes. */
const callBy = (who: Caller, attributes?: Record<string, string | boolean>): Call =>
  ({ caller: who, jar: { directory: { user: async () => attributes && { attributes } } } }) as unknown as Call;

const LICENSED = { licensed: true, jobQueue: true };

it.each([
  ['a licensed user', LICENSED, { isDelegatedAdmin: false, canScheduleJobs: true, access: 'full' }],
  [
    'a licensed user without jobs',
    { licensed: true, jobQueue: false },
    { isDelegatedAdmin: false, canScheduleJobs: false },
  ],
  ['a delegated administrator', { delegatedAdmin: true }, { isDelegatedAdmin: true, canScheduleJobs: true }],
  ['a delegated administrator with a licence', { delegatedAdmin: true, licensed: true }, { isDelegatedAdmin: false }],
  ['somebody who may read', { ...LICENSED, businessPermission: 'read' }, { access: 'read' }],
  ['somebody with a misspelt permission', { ...LICENSED, businessPermission: 'ful' }, { access: 'none' }],
])('%s is known as one', async (_, attributes, expected) => {
  expect(await actorOf(callBy(caller({}), attributes))).toMatchObject({ tenantId: TENANT, kind: 'user', ...expected });
});

it.each([
  ['without a licence', {}, caller({})],
  ['without a scope', LICENSED, caller({ scopes: [] })],
  ['with a scope of another service', LICENSED, caller({ scopes: ['Mail.Read', 'toString'] })],
  ['who was removed', undefined, caller({})],
])('a user %s is refused', async (_, attributes, who) => {
  await expect(actorOf(callBy(who, attributes))).rejects.toMatchObject({
    status: 403,
    code: 'Authorization_PermissionDenied',
  });
});

it('an application needs its role if its token has any roles', async () => {
  const application = (claims: Caller['claims']) => callBy(caller({ kind: 'application', scopes: [], claims }));
  const expected = { kind: 'application', isDelegatedAdmin: false, canScheduleJobs: true };
  expect(await actorOf(application({}))).toMatchObject(expected);
  expect(await actorOf(application({ roles: ['Other', 'API.ReadWrite.All'] }))).toMatchObject(expected);
  await expect(actorOf(application({ roles: [] }))).rejects.toMatchObject({ status: 403 });
});

const CUSTOMER = { caption: 'Customer' };

type Access = Parameters<typeof checkPermission>[0]['access'];

it.each<[string, Access, Permission]>([
  ['read', 'full', 'Read'],
  ['insert', undefined, 'Insert'],
  ['read', 'read', 'Read'],
])('to %s with the access %s is allowed', async (_, access, permission) => {
  const actor = { ...(await actorOf(callBy(caller({}), LICENSED))), access };
  expect(() => checkPermission(actor, CUSTOMER, permission)).not.toThrow();
});

it.each<[string, Access, Permission]>([
  ['insert', 'read', 'Insert'],
  ['delete', 'read', 'Delete'],
  ['read', 'none', 'Read'],
])('to %s with the access %s is refused', async (_, access, permission) => {
  const actor = { ...(await actorOf(callBy(caller({}), LICENSED))), access };
  const message = `You do not have the following permissions on TableData Customer: ${permission}.`;
  expect(() => checkPermission(actor, CUSTOMER, permission)).toThrow(expect.objectContaining({ status: 403, message }));
});

it('the error of a user whose token is read-only names the token', async () => {
  const actor = await actorOf(callBy(caller({ scopes: ['Financials.Read.All'] }), LICENSED));
  expect(() => checkPermission(actor, CUSTOMER, 'Read')).not.toThrow();
  expect(() => checkPermission(actor, CUSTOMER, 'Modify')).toThrow(/Financials\.ReadWrite\.All/);
  const both = await actorOf(callBy(caller({ scopes: ['Financials.Read.All', 'Financials.ReadWrite.All'] }), LICENSED));
  expect(() => checkPermission(both, CUSTOMER, 'Modify')).not.toThrow();
});
