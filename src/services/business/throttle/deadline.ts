import type { Answer } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { DeadlinePassed } from '../api/session.ts';
import { errors } from '../errors.ts';
import { inWords, timesOf } from './times.ts';

/** Whatever reads must not have changed anything, so that its answer can be withheld. */
const READS = new Set(['GET', 'HEAD']);

/**
 * Runs the work of a request within its time by the jar's clock. `work` is given the moment until which it may commit, and throws
 * `DeadlinePassed` inside its transaction when that is over: then nothing of it remains and the client is told 504, as long after its
 * request as the gateway waits, or 408 where the work itself took too long.
 */
export async function withinTime(call: Call, work: (deadline: number) => Promise<Answer>): Promise<Answer> {
  const { clock } = call.jar;
  const { gatewayMs, operationMs } = timesOf(call.jar);
  const gatewayEnd = call.receivedAt + gatewayMs;
  const operationEnd = clock.now() + operationMs;
  const deadline = Math.min(gatewayEnd, operationEnd);
  const checkTime = (): void => {
    const now = clock.now();
    if (now >= gatewayEnd) throw aborted(gatewayMs);
    if (now >= operationEnd) throw canceled(operationMs);
  };
  checkTime();
  try {
    const answer = await work(deadline);
    if (READS.has(call.method)) checkTime();
    return answer;
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error;
    throw clock.now() >= gatewayEnd ? aborted(gatewayMs) : canceled(operationMs);
  }
}

const aborted = (ms: number): Error =>
  errors.GatewayTimeout({
    reason: `The request was not done within ${inWords(ms)} and was aborted; nothing that was under way is kept. Split it into several requests.`,
  });

const canceled = (ms: number): Error =>
  errors.RequestTimeout({
    reason: `The operation took longer than ${inWords(ms)} and was canceled; nothing that was under way is kept.`,
  });
