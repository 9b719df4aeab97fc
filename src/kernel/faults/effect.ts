/** What can go wrong on order. Those of the wire apply to requests in both directions, the last three to deliveries. */
export interface FaultEffect {
  readonly status?: number;
  /** Of the answer in place of the real one; without a status they are added to the real one. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A status of 500 whose text says that it is a 429, as services answer that lost the status of one behind them. */
  readonly throttledAs500?: boolean;
  /** On the jar's clock. */
  readonly latencyMs?: number;
  /** The connection ends before the request is looked at: nothing changes. */
  readonly drop?: boolean;
  /** The request takes effect, and the connection ends in place of the answer. */
  readonly dropAnswer?: boolean;
  /** The body comes in ten pieces with this pause of the jar's clock in front of each. */
  readonly slowBodyMs?: number;
  /** The connection ends after so many bytes of the body. */
  readonly cutBodyAfter?: number;
  /** A delivery is sent twice. */
  readonly duplicate?: boolean;
  /** A delivery is sent after the one behind it. */
  readonly outOfOrder?: boolean;
  /** A delivery is sent although what it is for has been deleted. */
  readonly afterDelete?: boolean;
}

/** What only deliveries can do; a rule with one of them is about outbound requests. */
export const DELIVERY_EFFECTS = ['duplicate', 'outOfOrder', 'afterDelete'] as const;

/** Seconds that clients are asked to wait where a rule does not say. */
export const DEFAULT_RETRY_AFTER = '1';

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

export interface WireBody {
  readonly contentType: string;
  readonly payload: string;
}

/** The body of an effect as it goes over the wire: text as it is, anything else as JSON. */
export function bodyOfEffect({ body }: Pick<FaultEffect, 'body'>): WireBody | undefined {
  if (body === undefined) return undefined;
  return typeof body === 'string'
    ? { contentType: TEXT, payload: body }
    : { contentType: JSON_TYPE, payload: JSON.stringify(body) };
}

/** The headers that a status brings with it unless the rule says otherwise. */
export function headersOfStatus(status: number): Readonly<Record<string, string>> {
  return status === 429 || status === 503 ? { 'retry-after': DEFAULT_RETRY_AFTER } : {};
}

/** The answer that an effect stands for outside of any API's own shape; deliveries get it in place of their receiver's. */
export interface FaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function plainAnswer(effect: FaultEffect): FaultAnswer | undefined {
  const status = effect.throttledAs500 ? 500 : effect.status;
  if (status === undefined) return undefined;
  const wire = effect.throttledAs500 ? { contentType: TEXT, payload: '429 Too Many Requests' } : bodyOfEffect(effect);
  return {
    status,
    headers: {
      ...headersOfStatus(status),
      ...(wire && { 'content-type': wire.contentType }),
      ...effect.headers,
    },
    body: wire?.payload ?? '',
  };
}
