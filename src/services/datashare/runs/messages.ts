import type { RunDataSet } from '../collections.ts';
import type { CopyTask } from '../copying/index.ts';
import { messageOf, type StorageProblem } from '../storage/index.ts';

/**
 * What went wrong with a data set, as each side may read it: a consumer does not learn which storage account the provider shares from,
 * nor why that fails, and a provider not where a consumer keeps its copies.
 */
export type Messages = Pick<RunDataSet, 'message' | 'providerMessage'>;

/** Problems that are always about a file of the source. */
const OF_SOURCE: ReadonlySet<StorageProblem['code']> = new Set(['FileNotFound', 'FileChanged']);

export function messagesOf({ code, words, message }: StorageProblem, { from, to }: CopyTask): Messages {
  if (from.account === to.account || OF_SOURCE.has(code)) return { message };
  if (words.account === from.account) {
    const reason = 'its owner is told the reason';
    return { message: messageOf(code, { ...words, reason }, 'of the provider'), providerMessage: message };
  }
  return { message, providerMessage: `The data set could not be copied (${code}): the consumer is told the reason.` };
}

/** As the provider reads it. */
export const forProvider = ({ message, providerMessage }: Messages): string | undefined => providerMessage ?? message;
