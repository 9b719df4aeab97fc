import { expect } from 'vitest';
import type { Bench } from '../../../support/jars.ts';
import { invitationsTo, type Person } from '../support.ts';

/** Makes a user a member of an organization through the API's invitations. */
export async function joinOrg(bench: Bench, admin: Person, org: string, invited: Person, role: string): Promise<void> {
  const sent = await admin.call('POST', `/orgs/${org}/invitations`, { user_email: invited.email, role });
  expect(sent.status).toBe(204);
  const [token] = await invitationsTo(bench, invited.email);
  expect((await invited.call('POST', `/user/invitations/orgs/${token}/accept`, {})).status).toBe(204);
}
