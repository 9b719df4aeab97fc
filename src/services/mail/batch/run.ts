import type { Answer } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { Gate } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { errorAnswer } from '../family.ts';
import { answerItem, type BatchContext } from './item.ts';
import type { BatchItem } from './read.ts';

/** The concurrency limit of a mailbox for one application. */
const MOST_AT_ONCE = 4;

/**
 * Answers all requests: independent ones a few at a time, those in dependency chains one at a time, after their dependencies. A failure
 * does not affect other requests, except that its dependents are not run.
 */
export function runBatch(context: BatchContext, items: readonly BatchItem[]): Promise<readonly Answer[]> {
  const unordered = new Gate({ running: MOST_AT_ONCE, waiting: items.length });
  const ordered = new Gate({ running: 1, waiting: items.length });
  const answers = new Map<number, Promise<Answer>>();
  const answer = (index: number): Promise<Answer> => {
    let known = answers.get(index);
    if (!known) {
      known = answered(items[index] as BatchItem);
      answers.set(index, known);
    }
    return known;
  };
  const answered = async (item: BatchItem): Promise<Answer> => {
    const before = await Promise.all(item.dependsOn.map(answer));
    const failed = before.findIndex(({ status }) => status >= 400);
    if (failed >= 0) return dependencyFailed(context, items[item.dependsOn[failed] ?? 0]?.id ?? '');
    const gate = item.dependsOn.length > 0 ? ordered : unordered;
    return gate.pass(() => answerItem(context, item));
  };
  return Promise.all(items.map((_, index) => answer(index)));
}

function dependencyFailed({ jar, head }: BatchContext, dependency: string): Answer {
  const context = { requestId: uuid(), receivedAt: jar.clock.now(), headers: head.headers };
  return errorAnswer(errors.FailedDependency({ dependency }), context);
}
