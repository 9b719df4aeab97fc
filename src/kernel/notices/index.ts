import type { Tx } from '../store/types.ts';
import { defineWork } from '../work/kind.ts';

/**
 * Mail that a service has to send to people, such as an invitation. The service knows what to write and to whom; whoever handles the work brings it there
 * (the mail service). A notice is due work, so that it commits with what it is about.
 */
export interface Notice {
  /** The tenant in whose name it is sent. */
  readonly tenantId: string;
  /** The service or the part of it that writes: `Data sharing`. */
  readonly sender: string;
  /** Who gets answers. */
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines end with `\n`. */
  readonly text: string;
}

export const SEND_NOTICE = defineWork<Notice>('notices.send', { concurrency: 4 });

export async function sendNotice(tx: Tx, now: number, notice: Notice): Promise<void> {
  await tx.schedule(SEND_NOTICE.at(now, notice));
}
