import type { RunDataSet } from '../collections.ts';
import type { CopyTask } from '../copying/index.ts';
import { messageOf, type StorageProblem } from '../storage/index.ts';

/**
 * The error messages of a data set for each side. A consumer must not learn which storage account the provider shares from or why it fails,
 * and a provider not where the consumer stores copies.
 */
export type Messages = Pick<RunDataSet, 'message' | 'providerMessage'>;

/** Problems that always concern a file of the source. */
const OF_SOURCE: ReadonlySet<StorageProblem['code']> = new Set(['FileNotFound', 'FileChanged']);

export function messagesOf({ code, words, message }: StorageProblem, { from, to }: CopyTask): Messages {
  if (from.account === to.account || OF_SOURCE.has(code)) return { message };
  if (words.account === from.account) {
    const reason = 'its owner can see the reason';
    return { message: messageOf(code, { ...words, reason }, 'of the provider'), providerMessage: message };
  }
  return { message, providerMessage: `The data set could not be copied (${code}): the consumer can see the reason.` };
}

/** The message that the provider sees. */
export const forProvider = ({ message, providerMessage }: Messages): string | undefined => providerMessage ?? message;
