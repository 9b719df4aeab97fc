import { openInProcess } from './in-process.ts';
import { starter } from './start.ts';

export { JarError } from '../client/error.ts';
export type { FaultOrder, OrderedFault, TestFaults } from '../client/types/faults.d.ts';
export type { InboxBehaviour, ReceivedRequest, TestInbox } from '../client/types/inbox.d.ts';
export type { Jar, JarKeys, TokenOptions } from '../client/types/jar.d.ts';
export type {
  MessageFilter,
  SentMail,
  TestAttachment,
  TestEvent,
  TestKeptMail,
  TestMail,
  TestMailbox,
  TestMeeting,
  TestMessage,
} from '../client/types/mailbox.d.ts';
export type { StartJarOptions } from './in-process.ts';
export type { ExportOptions, ImportedState, ImportOptions, TestJar } from './jar-types.d.ts';

/**
 * Starts a jar in the test's own process: in memory, on free ports, with a clock that stands still.
 *
 * ```ts
 * const jar = await startJar();
 * await fetch(`${jar.url}/subscriptions?api-version=2022-12-01`, { headers: { authorization: `Bearer ${await jar.token()}` } });
 * await jar.clock.advance('3d');
 * await jar.close();
 * ```
 */
export const startJar = starter(() => openInProcess);
