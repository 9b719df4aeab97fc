import type { Backend } from './backend.ts';
import { type Control, controlOf, parsedBody } from './control.ts';
import { jarDeliveries } from './deliveries.ts';
import { JarError } from './error.ts';
import { testFaults } from './faults.ts';
import { snapshotPath } from './http-backend.ts';
import { testInbox } from './inbox.ts';
import { jarLimits } from './limits.ts';
import { testMailbox } from './mailbox.ts';
import type { TestInbox } from './types/inbox.d.ts';
import type { Jar, JarHealth } from './types/jar.d.ts';

/**
 * The test helpers for a jar, wherever it runs. `given` has the requests and messages that `next` and `waitFor` have returned, of all
 * inboxes and mailboxes.
 */
export function jarOver<B extends Backend>(backend: B, given = new Set<string>()): Jar & { clock: Pick<B, 'now'> } {
  const control = controlOf(backend.send);
  const inboxes = new Map<string, TestInbox>();
  /** The content of `given` at the time of each snapshot. */
  const givenBy = new Map<string, readonly string[]>();
  return {
    url: backend.url,
    adminKey: backend.adminKey,
    health: () => healthOf(backend),
    token: async (options = {}) =>
      (await control.ask<{ access_token: string }>('POST', '/_jar/tokens', options)).access_token,
    keys: () => control.ask('GET', '/_jar/keys'),
    clock: { now: () => backend.now(), advance: (by) => backend.advance(by) },
    faults: testFaults(control),
    deliveries: jarDeliveries(control),
    limits: jarLimits(control),
    inbox(name) {
      // One object per name, so that a request that `next` has returned is not returned again.
      const inbox = inboxes.get(name) ?? testInbox(backend, control, name, given);
      inboxes.set(name, inbox);
      return inbox;
    },
    mailbox: (user) => testMailbox(backend, control, user, given),
    settled: () => backend.settled(),
    async reset() {
      await backend.reset();
      given.clear();
    },
    async snapshot(name) {
      checkSnapshotName(name);
      await backend.saveSnapshot(name);
      givenBy.set(name, [...given]);
    },
    async restore(name) {
      checkSnapshotName(name);
      await backend.restoreSnapshot(name);
      given.clear();
      for (const key of givenBy.get(name) ?? []) given.add(key);
    },
    snapshots: () => control.list('/_jar/snapshots'),
    deleteSnapshot: async (name) => {
      checkSnapshotName(name);
      await deleteSnapshot(control, name);
    },
  };
}

/** A jar that cannot answer calls sends the same body with status 503. */
async function healthOf({ send }: Backend): Promise<JarHealth> {
  const path = '/_jar/health';
  const health = parsedBody<JarHealth | undefined>(await send('GET', path), path);
  // A server that is not a jar may answer with other JSON.
  if (health?.status === 'ready' || health?.status === 'degraded') return health;
  return controlOf(send).ask('GET', path);
}

/** Without the check, `undefined` would become the name "undefined" in the path. */
function checkSnapshotName(name: unknown): void {
  if (typeof name === 'string') return;
  throw new JarError('the name of a snapshot must be a string', { code: 'BadSnapshotName', target: 'name' });
}

async function deleteSnapshot({ ask }: Control, name: string): Promise<void> {
  await ask('DELETE', snapshotPath(name));
}
