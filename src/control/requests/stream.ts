import type { Answer } from '../../kernel/http/index.ts';
import { type Call, eventStream, type Watched } from '../../kernel/service/index.ts';
import type { RequestLog } from '../../kernel/telemetry/index.ts';
import { requestErrors } from './errors.ts';
import type { RequestFilter } from './filter.ts';
import { idOf, numberAfter } from './ids.ts';
import { requestView } from './view.ts';

export interface Beginning {
  readonly from?: string;
  readonly last?: number;
}

/** Requests and deliveries as server-sent events: from now on, with past ones, or after the last one that the client has seen. */
export function streamRequests(call: Call, log: RequestLog, wanted: RequestFilter, beginning: Beginning): Answer {
  return eventStream(call, follow(log, wanted, firstNumber(call, log, wanted, beginning)));
}

function firstNumber({ headers }: Call, log: RequestLog, wanted: RequestFilter, { from, last }: Beginning): number {
  if (from !== undefined && last !== undefined) throw requestErrors.TwoBeginnings({}, { target: 'last' });
  const seen = headers['last-event-id'];
  if (seen !== undefined) return numberAfter(log, String(seen));
  if (from === 'start') return log.first;
  let number = log.next;
  for (let missing = last ?? 0; missing > 0 && number > log.first; ) {
    number -= 1;
    const entry = log.entry(number);
    if (entry && wanted(entry)) missing -= 1;
  }
  return number;
}

/** Reads one entry at a time, when the client accepts it: a slow client costs the jar only a number. */
function follow(log: RequestLog, wanted: RequestFilter, from: number): Watched {
  let number = from;
  let isOpened = false;
  return {
    watch: (notify) => log.watch(notify),
    async *look() {
      // Sent first, so that a client without any entry can resume too.
      if (!isOpened) yield { id: idOf(log, number - 1), event: 'listening', data: {} };
      isOpened = true;
      while (number < log.next) {
        const { first } = log;
        if (number < first) {
          const dropped = first - number;
          number = first;
          yield { id: idOf(log, first - 1), event: 'dropped', data: { dropped } };
          continue;
        }
        const entry = log.entry(number);
        number += 1;
        if (!entry || !wanted(entry)) continue;
        const id = idOf(log, entry.number);
        yield { id, event: entry.direction === 'inbound' ? 'request' : 'delivery', data: requestView(entry, id) };
      }
      return 'wait';
    },
  };
}
