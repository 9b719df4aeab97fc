import type { SentMessage } from '../kernel/delivery/index.ts';
import type { Dropped, Finished } from '../kernel/http/server.ts';
import type { Logger } from '../kernel/telemetry/log.ts';
import { redactText, redactUrl, redactValue } from '../kernel/telemetry/redact.ts';
import { isQuiet, NON_HTTP_METHOD, problemOf, rounded, shownUrl } from './request-entries.ts';

/** Writes one log line per request and per sent message. */
export interface RequestLines {
  finished(finished: Finished): void;
  dropped(dropped: Dropped): void;
  sent(message: SentMessage): void;
}

/** Only values that a client or a receiver controls are redacted here, because these lines are frequent. */
export function requestLines(log: Logger): RequestLines {
  return {
    finished(finished) {
      const level = levelOf(finished);
      if (!log.enabled(level)) return;
      const { call, answer } = finished;
      const fields = { ...received(finished), status: answer.status, ...faultOf(finished), ...troubleOf(finished) };
      log.clean(level, fields, `${call.method} ${shownUrl(call)} ${answer.status}`);
    },
    dropped(dropped) {
      if (!log.enabled('info')) return;
      const { call } = dropped;
      log.clean('info', { ...received(dropped), ...faultOf(dropped) }, `${call.method} ${shownUrl(call)} dropped`);
    },
    sent(message) {
      if (!log.enabled('info')) return;
      const { service, policy, id, deliveries, address, method = NON_HTTP_METHOD, attempt } = message;
      const { status, outcome, ms, error, nextAt } = attempt;
      const fields = {
        direction: 'outbound',
        service,
        policy,
        delivery: id,
        ...(deliveries > 1 && { deliveries }),
        ...(status !== undefined && { status }),
        ms: rounded(ms),
        attempt: attempt.number,
        ...(outcome !== 'Succeeded' && { code: outcome }),
        ...(error !== undefined && { reason: redactText(error) }),
        ...(nextAt !== undefined && { nextAt: new Date(nextAt).toISOString() }),
        ...faultOf(attempt),
      };
      log.clean('info', fields, `${method} ${redactUrl(address)} ${status ?? outcome}`);
    },
  };
}

/** Quiet requests, such as polling, are logged only at debug level. */
function levelOf(finished: Finished): 'error' | 'info' | 'debug' {
  // A 5xx without a thrown error was requested, by a fault rule or an inbox.
  if (finished.answer.status >= 500 && finished.error !== undefined) return 'error';
  return isQuiet(finished) ? 'debug' : 'info';
}

function received({ call, service, milliseconds }: Pick<Finished, 'call' | 'service' | 'milliseconds'>): object {
  return {
    service,
    operation: call.operation,
    ms: rounded(milliseconds),
    requestId: call.requestId,
    ...(call.caller && { caller: redactText(call.caller.name) }),
    // Fields that the API family adds, such as an id from the client.
    ...(call.logged && (redactValue(call.logged) as object)),
  };
}

const faultOf = ({ fault }: { readonly fault?: string | undefined }): object => (fault === undefined ? {} : { fault });

function troubleOf(finished: Finished): object {
  const { error, answer } = finished;
  if (error !== undefined && answer.status >= 500) return { err: redactValue(error) };
  if (error === undefined && answer.status < 400) return {};
  const { code, reason } = problemOf(finished);
  return { ...(code !== undefined && { code }), ...(reason !== undefined && { reason: redactText(reason) }) };
}
