import { expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { administrator, invitationsTo, person } from '../support.ts';
import { generatedClient } from './generated-client.ts';

withJar((bench) => {
  const clientOf = async (name: string) => generatedClient(bench, (await person(bench, name)).token);
  const admin = async () => generatedClient(bench, (await administrator(bench)).token);
  const refused = (status: number) => expect.objectContaining({ statusCode: status });

  it('the generated client works with collaborators: invites, lists, promotes and removes them', async () => {
    const client = await admin();
    const made = await client.apps?.create?.({ displayName: 'Phone', os: 'Android', platform: 'Java' });
    expect(made).toMatchObject({
      name: 'Phone',
      owner: { name: 'admin', type: 'user' },
      memberPermissions: ['manager'],
    });
    const lin = await person(bench, 'lin');
    const guest = generatedClient(bench, lin.token);
    await client.appInvitations?.create?.('admin', 'Phone', lin.email, { role: 'developer' });
    // The client treats the array as an object and returns its items unchanged.
    expect(await client.appInvitations?.list?.('admin', 'Phone')).toMatchObject({
      0: { email: lin.email, permissions: ['developer'], is_existing_user: true, invited_by: { name: 'admin' } },
    });
    const [token] = await invitationsTo(bench, lin.email);
    // The client sends no body for this operation, which is rejected first.
    await expect(guest.appInvitations?.accept?.(token)).rejects.toEqual(refused(411));
    expect((await lin.call('POST', `/user/invitations/apps/${token}/accept`, {})).status).toBe(204);
    expect(await guest.apps?.get?.('admin', 'Phone')).toMatchObject({ memberPermissions: ['developer'] });
    await client.apps?.updateUserPermissions?.('admin', 'Phone', lin.email, ['manager']);
    const people = await client.users?.list?.('admin', 'Phone');
    expect(people).toMatchObject([
      { name: 'admin', permissions: ['manager'] },
      { name: 'lin', email: lin.email, permissions: ['manager'] },
    ]);
    await client.apps?.removeUser?.('admin', 'Phone', lin.email);
    await expect(guest.apps?.get?.('admin', 'Phone')).rejects.toEqual(refused(404));
    await expect(client.apps?.removeUser?.('admin', 'Phone', 'admin@vendor.example')).rejects.toEqual(refused(400));
  });

  it('it works with organizations: people, roles, teams and their apps', async () => {
    const client = await admin();
    const org = await client.organizations?.createOrUpdate?.({ displayName: 'Acme Corporation', name: 'acme' });
    expect(org).toMatchObject({ name: 'acme', displayName: 'Acme Corporation', origin: 'appcenter' });
    const dee = await person(bench, 'dee');
    const guest = await clientOf('dee');
    await expect(guest.organizations?.get?.('acme')).rejects.toEqual(refused(404));
    await client.orgInvitations?.create?.('acme', dee.email, { role: 'collaborator' });
    const [token] = await invitationsTo(bench, dee.email);
    await dee.call('POST', `/user/invitations/orgs/${token}/accept`, {});
    expect(await client.users?.listForOrg?.('acme')).toMatchObject([
      { name: 'admin', role: 'admin' },
      { name: 'dee', role: 'collaborator' },
    ]);
    await client.apps?.createForOrg?.('acme', { displayName: 'Desk', os: 'Windows', platform: 'UWP' });
    await expect(guest.apps?.get?.('acme', 'Desk')).rejects.toEqual(refused(404));
    await client.teams?.createTeam?.('acme', 'Builders');
    await client.teams?.addUser?.('acme', 'Builders', dee.email);
    await client.teams?.addApp?.('acme', 'Builders', 'Desk');
    await client.teams?.updatePermissions?.('acme', 'Builders', 'Desk', ['developer']);
    expect(await guest.apps?.get?.('acme', 'Desk')).toMatchObject({ memberPermissions: ['developer'] });
    await client.users?.updateOrgRole?.('acme', 'dee', { role: 'admin' });
    expect(await guest.apps?.get?.('acme', 'Desk')).toMatchObject({ memberPermissions: ['manager'] });
    await client.users?.removeFromOrg?.('acme', 'dee');
    await expect(guest.apps?.get?.('acme', 'Desk')).rejects.toEqual(refused(404));
    await expect(client.users?.removeFromOrg?.('acme', 'admin')).rejects.toEqual(refused(400));
  });
});
