import type { SentMessage } from '../kernel/delivery/index.ts';
import type { SentAnswer } from '../kernel/http/send.ts';
import type { Dropped, Finished } from '../kernel/http/server.ts';
import type { Jar } from '../kernel/service/jar.ts';
import type { WorkStats } from '../kernel/store/types.ts';
import type { RequestLog } from '../kernel/telemetry/request-log.ts';
import { type OperationMeter, type StandardMetrics, standardMetrics } from '../kernel/telemetry/standard-metrics.ts';
import type { WorkHooks } from '../kernel/work/index.ts';
import { answerDetails } from './request-details.ts';
import { droppedEntry, finishedEntry, isQuiet, sentEntry } from './request-entries.ts';
import { requestLines } from './request-lines.ts';

/** Turns requests and deliveries into metrics, log lines and entries of the request log. */
export interface Observer extends StandardMetrics {
  finished(finished: Finished): ((sent: SentAnswer) => void) | undefined;
  dropped(dropped: Dropped): void;
  sent(message: SentMessage): void;
}

export function observeRequests(jar: Jar, version: string, requests: RequestLog): Observer {
  const { store, clock, log } = jar;
  // If the store does not answer, its metrics are skipped at once, so that the other metrics are not delayed.
  const stats = (): Promise<WorkStats> =>
    store.health().reachable ? store.work.stats() : Promise.reject(new Error('the store does not answer'));
  const standard = standardMetrics(jar.metrics, {
    version,
    work: {
      waiting: async () => (await stats()).waiting,
      leased: async () => (await stats()).leased,
      parked: async () => (await stats()).parked,
      oldestDueAgeSeconds: async () => {
        const { oldestDueAt } = await stats();
        return oldestDueAt === undefined ? 0 : Math.max(0, clock.now() - oldestDueAt) / 1000;
      },
    },
  });
  const meters = new Map<string, Map<string, OperationMeter>>();
  const meterOf = (service: string, operation: string): OperationMeter => {
    const ofService = meters.get(service) ?? new Map<string, OperationMeter>();
    const meter = ofService.get(operation) ?? standard.operation(service, operation);
    meters.set(service, ofService.set(operation, meter));
    return meter;
  };
  const lines = requestLines(log);
  return {
    ...standard,
    finished(finished) {
      const { call, service, answer, milliseconds } = finished;
      const measured = call.route.measuredAs ?? call.operation;
      const meter = meters.get(service)?.get(measured) ?? meterOf(service, measured);
      meter.finished(answer.status, milliseconds / 1000);
      lines.finished(finished);
      if (isQuiet(finished)) return undefined;
      const entry = requests.add(finishedEntry(finished));
      return (sent) => requests.answered(entry, sent.bytes, () => answerDetails(finished, sent));
    },
    dropped(dropped) {
      lines.dropped(dropped);
      requests.add(droppedEntry(dropped));
    },
    sent(message) {
      lines.sent(message);
      requests.add(sentEntry(message));
    },
  };
}

export function observeWork(standard: StandardMetrics): WorkHooks {
  return { finished: (kind, outcome) => standard.workRun(kind, outcome) };
}
