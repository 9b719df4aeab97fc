import { Type } from 'typebox';
import { didYouMean } from '../../kernel/config/index.ts';
import { pathMatches } from '../../kernel/faults/index.ts';
import type { RequestEntry } from '../../kernel/telemetry/index.ts';
import { requestErrors } from './errors.ts';

/** Filter of the recent requests, for the list and the stream; missing properties match everything. */
export const FilterProperties = {
  direction: Type.Optional(
    Type.Enum(['inbound', 'outbound'], {
      description: 'Requests to the jar, or deliveries of the jar; default: both',
    }),
  ),
  service: Type.Optional(Type.String({ description: 'The service that receives the request or sends the delivery' })),
  method: Type.Optional(Type.String()),
  path: Type.Optional(
    Type.String({
      description: "Pattern for the path without the query, or for a delivery's address; '*' matches any characters",
    }),
  ),
  status: Type.Optional(
    Type.String({ description: "'404', '4xx', '>=400', or 'none' for requests without an answer" }),
  ),
};

export interface RequestQuery {
  readonly direction?: string;
  readonly service?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: string;
}

export type RequestFilter = (entry: RequestEntry) => boolean;

const LONGEST_PATTERN = 2000;

/** Rejects filters that cannot match anything, so that a typo does not look like an absence of requests. */
export function readFilter(query: RequestQuery, services: readonly string[]): RequestFilter {
  const { direction, service, path } = query;
  if (service !== undefined && !services.includes(service)) {
    const near = didYouMean(service, services);
    const hint = near === undefined ? `there are ${services.join(', ')}` : `did you mean ${near}?`;
    throw requestErrors.BadFilter(
      { reason: `There is no service '${service.slice(0, 60)}' (${hint}).` },
      { target: 'service' },
    );
  }
  if (path !== undefined && (path.length > LONGEST_PATTERN || !/^([/*?]|https?:)/i.test(path))) {
    const reason = "A path must begin with '/' or '*', the address of a delivery with 'http://' or 'https://'.";
    throw requestErrors.BadFilter({ reason }, { target: 'path' });
  }
  const method = query.method?.toUpperCase();
  if (method !== undefined && !/^[A-Z]{1,20}$/.test(method)) {
    throw requestErrors.BadFilter({ reason: 'A method must be a word such as GET.' }, { target: 'method' });
  }
  const isWanted = query.status === undefined ? undefined : statusFilter(query.status);
  return (entry) =>
    (direction === undefined || entry.direction === direction) &&
    (service === undefined || entry.service === service) &&
    (method === undefined || entry.method === method) &&
    (isWanted === undefined || isWanted(entry.status)) &&
    (path === undefined || pathMatches(path, { direction: entry.direction, path: pathOf(entry) }));
}

const pathOf = ({ url }: RequestEntry): string => url.split('?', 1)[0] ?? url;

type StatusFilter = (status: number | undefined) => boolean;

function statusFilter(text: string): StatusFilter {
  const [, comparison, number, family] = /^(?:(>=|<=|>|<|=)?(\d{3})|([1-5])xx|none)$/i.exec(text) ?? [undefined, 'bad'];
  if (comparison === 'bad') {
    const reason = `'${text.slice(0, 60)}' is not a status; use 404, 4xx, >=400 or none.`;
    throw requestErrors.BadFilter({ reason }, { target: 'status' });
  }
  if (family !== undefined) return (status) => status !== undefined && Math.floor(status / 100) === Number(family);
  if (number === undefined) return (status) => status === undefined;
  const compare = COMPARISONS[comparison ?? '='] as (a: number, b: number) => boolean;
  return (status) => status !== undefined && compare(status, Number(number));
}

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};
