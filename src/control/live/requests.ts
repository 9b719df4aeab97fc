import { type Static, Type } from 'typebox';
import { isFailed, type RequestEntry, type RequestLog, redactUrl } from '../../kernel/telemetry/index.ts';
import { Durations } from '../requests/durations.ts';
import { idOf } from '../requests/ids.ts';
import { RequestView, requestView } from '../requests/view.ts';
import { fitting } from './fit.ts';

const SAMPLE = { most: 20, bytes: 10 * 1024 };
const WRITTEN = { most: 50, bytes: 4 * 1024 };

const Count = Type.Integer({ minimum: 0 });
const Milliseconds = Type.Union([Type.Number(), Type.Null()]);

export const RequestsSchema = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'Requests to the jar' }),
    failed: Type.Integer({ minimum: 0, description: 'Of these, with status 400 and above, or without an answer' }),
    outbound: Type.Integer({ minimum: 0, description: 'Messages that the jar sent' }),
    outboundFailed: Count,
    dropped: Type.Integer({
      minimum: 0,
      description: 'Requests and messages that left the log before they were read; they are in no other number',
    }),
    sample: Type.Array(RequestView, { description: 'The newest first, both directions, as far as they fit' }),
    byStatus: Type.Object({ '1xx': Count, '2xx': Count, '3xx': Count, '4xx': Count, '5xx': Count, none: Count }),
    ms: Type.Object(
      { p50: Milliseconds, p95: Milliseconds, p99: Milliseconds, max: Milliseconds },
      { description: 'Durations of the requests to the jar; null if there were none' },
    ),
    byService: Type.Record(Type.String(), Type.Object({ count: Count, failed: Count }), {
      description: 'Requests to the jar by the service that answered them',
    }),
  },
  { description: 'Requests since the previous frame' },
);

export const WrittenSchema = Type.Array(Type.String(), {
  description:
    'The first four segments of the paths that requests other than GET, HEAD and OPTIONS went to, without those that were refused',
});

export interface RequestFigures {
  readonly requests: Omit<Static<typeof RequestsSchema>, 'sample'> & { readonly sample: readonly object[] };
  readonly written: readonly string[];
  readonly isWrittenCut: boolean;
}

/** Summarises the entries from one number up to, and without, another. Only the entries of the sample are formatted. */
export function summarise(log: RequestLog, from: number, to: number): RequestFigures {
  const first = Math.min(Math.max(from, log.first), to);
  const byStatus = { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 };
  const byService = new Map<string, { count: number; failed: number }>();
  const durations = new Durations();
  const written = new Set<string>();
  let [count, failed, outbound, outboundFailed] = [0, 0, 0, 0];
  for (let number = first; number < to; number++) {
    const entry = log.entry(number);
    if (!entry) continue;
    const hasFailed = isFailed(entry);
    if (entry.direction === 'outbound') {
      outbound += 1;
      if (hasFailed) outboundFailed += 1;
      continue;
    }
    count += 1;
    const ofService = byService.get(entry.service) ?? { count: 0, failed: 0 };
    byService.set(entry.service, ofService);
    ofService.count += 1;
    if (hasFailed) {
      failed += 1;
      ofService.failed += 1;
    }
    byStatus[familyOf(entry.status)] += 1;
    durations.add(entry.ms);
    if (mayHaveWritten(entry) && written.size <= WRITTEN.most) written.add(prefixOf(entry.url));
  }
  const shown = fitting(written, WRITTEN);
  const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((share) => durations.percentile(share));
  return {
    requests: {
      count,
      failed,
      outbound,
      outboundFailed,
      dropped: first - Math.min(from, first),
      sample: fitting(newestFirst(log, first, to), SAMPLE),
      byStatus,
      ms: { p50: p50 ?? null, p95: p95 ?? null, p99: p99 ?? null, max: max ?? null },
      byService: Object.fromEntries(byService),
    },
    written: shown,
    isWrittenCut: shown.length < written.size,
  };
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A refused request has written nothing. A page whose search by POST is refused would otherwise repeat the search because of it. */
const mayHaveWritten = ({ method, status = 0 }: RequestEntry): boolean =>
  !READS.has(method) && !(status >= 400 && status < 500);

function familyOf(status: RequestEntry['status']) {
  if (status === undefined) return 'none';
  if (status < 300) return status < 200 ? '1xx' : '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}

const LONGEST_PREFIX = 300;

/** The first four segments of a path, without secrets. */
export function prefixOf(url: string): string {
  const prefix = /^(?:\/[^/?#]*){1,4}/.exec(url)?.[0] ?? '/';
  return redactUrl(prefix).slice(0, LONGEST_PREFIX);
}

function* newestFirst(log: RequestLog, first: number, to: number): Generator<object> {
  for (let number = to - 1; number >= first; number--) {
    const entry = log.entry(number);
    if (entry) yield requestView(entry, idOf(log, number));
  }
}
