import type { Extras, ItemBody } from '../messages/types.ts';

/** Properties that the documents of both kinds share. */
export interface ItemDocument extends Extras {
  readonly uid: string;
  readonly mailbox: string;
  readonly generation: number;
  readonly number: number;
  readonly body: ItemBody;
  readonly hasAttachments: boolean;
}
