import { expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { administrator, makeApp } from '../support.ts';

withJar((bench) => {
  it('pending invitations are listed with their target and sender', async () => {
    const admin = await administrator(bench);
    await makeApp(admin, 'phone');
    await admin.call('POST', '/orgs', { display_name: 'Acme', name: 'acme' });
    const user_email = 'lin@vendor.example';
    await admin.call('POST', '/apps/admin/phone/invitations', { user_email, role: 'viewer' });
    await bench.jar.clock.advance('1m');
    await admin.call('POST', '/orgs/acme/invitations', { user_email });
    await admin.call('POST', '/orgs/acme/invitations', { user_email: 'other@vendor.example' });
    const { body } = await bench.call('GET', '/_jar/lifecycle/invitations?email=LIN@vendor.example', {
      token: bench.jar.adminKey,
    });
    expect(body.value).toMatchObject([
      { to: 'app', name: 'admin/phone', role: 'viewer', invited_by: 'admin', email: user_email },
      { to: 'org', name: 'acme', role: 'collaborator', invited_by: 'admin', email: user_email },
    ]);
  });
});
