import type { Tx } from '../store/types.ts';
import { defineWork } from '../work/kind.ts';

/**
 * Mail that a service sends to people, such as an invitation. The service provides content and recipient; the mail service handles the work
 * and sends it. A notice is due work, so it commits with the change that it is about.
 */
export interface Notice {
  /** The tenant that sends it. */
  readonly tenantId: string;
  /** The service, or the part of a service, that is named as sender: `Data sharing`. */
  readonly sender: string;
  /** The recipient of replies. */
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines end with `\n`. */
  readonly text: string;
}

export const SEND_NOTICE = defineWork<Notice>('notices.send', { title: 'Mails a notice', concurrency: 4 });

export async function sendNotice(tx: Tx, now: number, notice: Notice): Promise<void> {
  await tx.schedule(SEND_NOTICE.at(now, notice));
}
