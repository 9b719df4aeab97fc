/** One of several nodes that send what the others enqueue, to be killed or paused. Its messages name the node that sent them. */
import { keepCompiled } from '../../support/keep-compiled.ts';
import { CRASH_POLICY } from './crash-policy.ts';
import { openSender } from './crash-sender.ts';

const [address = ''] = process.argv.slice(2);
// Otherwise loaded with the first delivery, which may be after the kill.
await import('undici');
const policy: typeof CRASH_POLICY = {
  ...CRASH_POLICY,
  compose: ([first]) => ({
    url: first!.url,
    headers: { 'x-node': String(process.pid) },
    body: first!.body,
  }),
};
// Longer than any test, so that no item becomes free because a lease expired.
await openSender(address, policy, { leaseMs: 3_600_000 });
keepCompiled();
process.stdout.write('ready\n');
