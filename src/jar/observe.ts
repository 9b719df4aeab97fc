import type { Finished } from '../kernel/http/server.ts';
import type { Jar } from '../kernel/service/jar.ts';
import type { WorkStats } from '../kernel/store/types.ts';
import { redactUrl } from '../kernel/telemetry/log.ts';
import { SECRET_PARTS_HEADER, WHOLE_QUERY } from '../kernel/telemetry/redact.ts';
import { type OperationMeter, type StandardMetrics, standardMetrics } from '../kernel/telemetry/standard-metrics.ts';
import type { WorkHooks } from '../kernel/work/index.ts';

/** Turns what happens into metrics and log lines. */
export interface Observer extends StandardMetrics {
  finished(finished: Finished): void;
}

export function observeRequests(jar: Jar, version: string): Observer {
  const { store, clock, log } = jar;
  // Whoever reads the metrics while the store is silent gets the others at once.
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
  return {
    ...standard,
    finished(finished) {
      const { call, service, answer, milliseconds } = finished;
      const measured = call.route.measuredAs ?? call.operation;
      const meter = meters.get(service)?.get(measured) ?? meterOf(service, measured);
      meter.finished(answer.status, milliseconds / 1000);
      const level = levelOf(finished);
      if (!log.enabled(level)) return;
      const fields = {
        service,
        operation: call.operation,
        status: answer.status,
        ms: Math.round(milliseconds * 10) / 10,
        requestId: call.requestId,
        ...(call.caller && { caller: call.caller.name }),
        // What the family has found worth a line, such as an id that the client gave.
        ...call.logged,
        ...(finished.fault !== undefined && { fault: finished.fault }),
        ...problemOf(finished),
      };
      log[level](fields, `${call.method} ${shownUrl(call)} ${answer.status}`);
    },
  };
}

/** What the jar sends to itself says where a query is a secret whatever its parameters are called. */
export function shownUrl({ url, headers }: Finished['call']): string {
  const parts = headers[SECRET_PARTS_HEADER];
  return redactUrl(typeof parts === 'string' && parts.includes(WHOLE_QUERY) ? (url.split('?', 1)[0] ?? url) : url);
}

/** Reads are many and dull; what changes something or goes wrong is worth a line. */
function levelOf({ call, answer, error }: Finished): 'error' | 'info' | 'debug' {
  // Without an error behind it somebody ordered it, of a fault rule or of an inbox.
  if (answer.status >= 500 && error !== undefined) return 'error';
  return answer.status >= 400 || !['GET', 'HEAD', 'OPTIONS'].includes(call.method) ? 'info' : 'debug';
}

function problemOf({ error, answer }: Finished): object {
  if (error === undefined) return {};
  if (answer.status >= 500) return { err: error };
  const { code, message } = error as { code?: string; message?: string };
  return { code, reason: message };
}

export function observeWork(standard: StandardMetrics): WorkHooks {
  return { finished: (kind, outcome) => standard.workRun(kind, outcome) };
}
