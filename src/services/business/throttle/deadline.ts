import type { Answer } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { DeadlinePassed } from '../api/session.ts';
import { errors } from '../errors.ts';
import { inWords, timesOf } from './times.ts';

/** A read changes nothing, so its answer can be withheld. */
const READS = new Set(['GET', 'HEAD']);

/**
 * Runs a request within its time limits, by the jar's clock. `work` gets the time until which it may commit, and throws `DeadlinePassed`
 * inside its transaction after that, which rolls it back. The client then gets 504 if the gateway's limit, counted from the arrival of the
 * request, has passed, otherwise 408.
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
    reason: `The request did not complete within ${inWords(ms)} and was aborted; uncommitted changes were rolled back. Split it into several requests.`,
  });

const canceled = (ms: number): Error =>
  errors.RequestTimeout({
    reason: `The operation took longer than ${inWords(ms)} and was canceled; uncommitted changes were rolled back.`,
  });
