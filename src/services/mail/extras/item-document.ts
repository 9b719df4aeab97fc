import type { Extras, ItemBody } from '../messages/types.ts';

/** What the documents of both kinds have. */
export interface ItemDocument extends Extras {
  readonly uid: string;
  readonly mailbox: string;
  readonly generation: number;
  readonly number: number;
  readonly body: ItemBody;
  readonly hasAttachments: boolean;
}
