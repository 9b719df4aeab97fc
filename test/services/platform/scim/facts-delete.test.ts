import { good, person } from '../support.ts';
import { checkFacts, type Fact, patched, type World } from './facts.ts';
import { SERVICE_PRINCIPALS, USERS, user, workspaceOf } from './support.ts';

const status = async ({ ask }: World, path: string): Promise<number> => (await ask('GET', path)).status;
const inAccount = (world: World, id: string, kind = 'Users') => status(world, `${world.account}/scim/v2/${kind}/${id}`);

const deleted = async ({ ask }: World, name = 'ada'): Promise<string> => {
  const { id } = await user(ask, name);
  await good(ask('DELETE', `${USERS}/${id}`), 204);
  return id;
};

/** The statuses of a user of the account just before and just after 30 days. */
const around30Days = async (world: World, id: string): Promise<readonly number[]> => {
  await world.advance('29d');
  const before = await inAccount(world, id);
  await world.advance('1d');
  return [before, await inAccount(world, id)];
};

const DELETE: readonly Fact[] = [
  [
    'a delete in the workspace removes the assignment, and the user of the account stays',
    async (world) => {
      const id = await deleted(world);
      return [await status(world, `${USERS}/${id}`), await inAccount(world, id)];
    },
    [404, 200],
  ],
  [
    'a user of no workspace is purged from the account after 30 days',
    async (world) => around30Days(world, await deleted(world)),
    [200, 404],
  ],
  [
    'the name of a purged user is free',
    async (world) => {
      await deleted(world);
      await world.advance('30d');
      return (await user(world.ask, 'ada')).active;
    },
    true,
  ],
  [
    'a user who is created in the workspace again within 30 days is the same and stays',
    async (world) => {
      const id = await deleted(world);
      await world.advance('20d');
      const again = await user(world.ask, 'ada');
      await world.advance('60d');
      return [again.id === id, await inAccount(world, id)];
    },
    [true, 200],
  ],
  [
    'the 30 days begin with the last delete',
    async (world) => {
      const id = await deleted(world);
      await world.advance('20d');
      await user(world.ask, 'ada');
      await good(world.ask('DELETE', `${USERS}/${id}`), 204);
      return around30Days(world, id);
    },
    [200, 404],
  ],
  [
    'a user who is in another workspace stays',
    async (world) => {
      const other = await good(world.ask('POST', `${world.account}/workspaces`, { workspace_name: 'other' }), 201);
      const { id } = await user(world.ask, 'ada');
      const at = `${world.account}/workspaces/${other.workspace_id}/permissionassignments/principals/${id}`;
      await good(world.ask('PUT', at, { permissions: ['USER'] }));
      await good(world.ask('DELETE', `${USERS}/${id}`), 204);
      return around30Days(world, id);
    },
    [200, 200],
  ],
  [
    'a user who is in the workspace by a group of the account stays',
    async (world) => {
      const id = await deleted(world);
      const { ask, account } = world;
      const members = [{ value: id }];
      const big = await good(ask('POST', `${account}/scim/v2/Groups`, { displayName: 'big', members }), 201);
      const at = `${account}/workspaces/${await workspaceOf(ask)}/permissionassignments/principals/${big.id}`;
      await good(ask('PUT', at, { permissions: ['USER'] }));
      return around30Days(world, id);
    },
    [200, 200],
  ],
  [
    'an administrator of the account stays',
    async (world) => {
      const id = await deleted(world);
      const value = [{ value: 'account_admin' }];
      await patched(world, `${world.account}/scim/v2/Users/${id}`, { op: 'add', path: 'roles', value });
      return around30Days(world, id);
    },
    [200, 200],
  ],
  [
    'a user of the account who never was in a workspace stays',
    async (world) => {
      const path = `${world.account}/scim/v2/Users`;
      return around30Days(world, (await good(world.ask('POST', path, { userName: 'x@contoso.example' }), 201)).id);
    },
    [200, 200],
  ],
  [
    'a service principal stays',
    async (world) => {
      const { id } = await good(world.ask('POST', SERVICE_PRINCIPALS, { displayName: 'robot' }), 201);
      await good(world.ask('DELETE', `${SERVICE_PRINCIPALS}/${id}`), 204);
      await world.advance('31d');
      return inAccount(world, id, 'ServicePrincipals');
    },
    200,
  ],
  [
    'a delete in the account takes effect at once, in every workspace',
    async (world) => {
      const { id } = await user(world.ask, 'ada');
      await good(world.ask('DELETE', `${world.account}/scim/v2/Users/${id}`), 204);
      return [await inAccount(world, id), await status(world, `${USERS}/${id}`)];
    },
    [404, 404],
  ],
  [
    'somebody of the directory who was purged stays out',
    async (world) => {
      const theirs = await person(world.bench, 'licensed');
      const { id } = await good(theirs('GET', '/preview/scim/v2/Me'), 200);
      await good(world.ask('DELETE', `${USERS}/${id}`), 204);
      await world.advance('31d');
      return [await inAccount(world, id), (await theirs('GET', '/preview/scim/v2/Me')).status < 400];
    },
    [404, false],
  ],
];

checkFacts('data platform: the facts of deleted users', DELETE);
