import { expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { device, event, post, startSession } from '../sdk.ts';
import { administrator, by, type Person } from '../support.ts';
import { commandLine } from './command-line.ts';

withJar((bench) => {
  const { run, alone } = commandLine(bench);
  /** The output for programs. */
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--output', 'json');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout);
  };
  let login: Promise<Person> | undefined;
  /** Logs in once for all tests after the first one, whose failed login removed the profile. */
  const loggedIn = () => {
    login ??= administrator(bench).then(async (admin) => {
      expect((await alone('login', '--token', admin.token)).code).toBe(0);
      return admin;
    });
    return login;
  };

  it('the public command-line client logs in with a token, and shows the profile', async () => {
    const { token } = await administrator(bench);
    expect(await alone('login', '--token', token)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Logged in as admin'),
    });
    const profile = await alone('profile', 'list');
    expect(profile).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Username:\s+admin[\s\S]*Email:\s+admin@vendor\.example/),
    });
    expect((await alone('login', '--token', 'nobodys')).code).not.toBe(0);
  });

  it('it makes, lists and deletes apps and tokens', async () => {
    const { token } = await loggedIn();
    const made = await json('apps', 'create', '-d', 'My first app', '-o', 'Android', '-p', 'Java');
    expect(made).toMatchObject({ name: 'My-first-app', os: 'Android', platform: 'Java', displayName: 'My first app' });
    const [list, shown] = await Promise.all([run('apps', 'list'), run('apps', 'show', '-a', 'admin/My-first-app')]);
    expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining('admin/My-first-app') });
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(made.appSecret) });

    const [ofUser, ofApp] = await Promise.all([
      json('tokens', 'create', '-d', 'of the user'),
      json('tokens', 'create', '-t', 'app', '-a', 'admin/My-first-app', '-d', 'of the app'),
    ]);
    expect((await by(bench, ofUser.apiToken)('GET', '/user')).status).toBe(200);
    expect((await by(bench, ofApp.apiToken)('GET', '/apps/admin/My-first-app')).status).toBe(200);
    const [users, apps] = await Promise.all([
      run('tokens', 'list'),
      run('tokens', 'list', '-t', 'app', '-a', 'admin/My-first-app'),
    ]);
    expect(users.stdout).toContain(ofUser.id);
    expect(apps.stdout).toContain(ofApp.id);
    expect(users.stdout + apps.stdout).not.toContain(ofUser.apiToken);
    expect((await run('tokens', 'delete', ofUser.id)).code).toBe(0);
    expect((await by(bench, ofUser.apiToken)('GET', '/user')).status).toBe(401);
    expect((await run('tokens', 'delete', ofApp.id, '-t', 'app', '-a', 'admin/My-first-app')).code).toBe(0);
    expect((await by(bench, ofApp.apiToken)('GET', '/apps/admin/My-first-app')).status).toBe(401);

    // The client swaps owner and app and sends no body, so nothing changes.
    await run('apps', 'update', '-a', 'admin/My-first-app', '-d', 'Not my first app');
    expect((await by(bench, token)('GET', '/apps/admin/My-first-app')).body).toMatchObject({ description: null });
    expect((await run('distribute', 'groups', 'create', '-n', 'Friends', '-a', 'admin/My-first-app')).code).toBe(0);
    const group = await run('distribute', 'groups', 'show', '-g', 'Friends', '-a', 'admin/My-first-app');
    expect(group).toMatchObject({ code: 0, stdout: expect.stringContaining('Releases:') });

    expect((await run('apps', 'delete', '-a', 'admin/My-first-app')).code).toBe(0);
    expect((await run('apps', 'show', '-a', 'admin/My-first-app')).code).not.toBe(0);
  });

  it('it makes an organization with an app, and shows its people', async () => {
    await loggedIn();
    expect((await run('orgs', 'create', '-d', 'Acme', '-n', 'acme')).code).toBe(0);
    expect((await run('orgs', 'apps', 'create', '-n', 'acme', '-d', 'Desk', '-o', 'Windows', '-p', 'UWP')).code).toBe(
      0,
    );
    const [list, shown, apps, people] = await Promise.all([
      run('orgs', 'list'),
      run('orgs', 'show', '-n', 'acme'),
      run('orgs', 'apps', 'list', '-n', 'acme'),
      run('orgs', 'collaborators', 'list', '-n', 'acme'),
    ]);
    expect(list.stdout).toContain('acme');
    expect(shown.stdout).toContain('Acme');
    expect(apps.stdout).toContain('Desk');
    expect(people.stdout).toContain('admin@vendor.example');
  });

  it('it reads the usage statistics of an app', async () => {
    const { call } = await loggedIn();
    const app = (await call('POST', '/apps', { display_name: 'Used', os: 'iOS', platform: 'Objective-C-Swift' })).body;
    const sid = crypto.randomUUID();
    const from = { sid, device: device({ appVersion: '1.2.3', model: 'Phone 7' }) };
    await post(bench, app, crypto.randomUUID(), [startSession(from), event('Bought', { what: 'tea' }, from)]);
    const [versions, events, audience, sessions] = await Promise.all([
      run('analytics', 'app-versions', '-a', 'admin/Used', '--devices'),
      run('analytics', 'events', 'show', '-a', 'admin/Used', '--properties'),
      run('analytics', 'audience', '-a', 'admin/Used', '--devices', '--active-users'),
      run('analytics', 'sessions', '-a', 'admin/Used', '--statistics'),
    ]);
    expect(versions).toMatchObject({ code: 0, stdout: expect.stringMatching(/1\.2\.3.*1/) });
    expect(events).toMatchObject({ code: 0, stdout: expect.stringMatching(/Bought[\s\S]*what[\s\S]*tea/) });
    expect(audience).toMatchObject({ code: 0, stdout: expect.stringContaining('Phone 7') });
    expect(sessions.code).toBe(0);
  });
});
