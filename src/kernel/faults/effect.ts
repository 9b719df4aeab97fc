/** Effects of a fault rule. Those on the connection apply to requests in both directions, the last three to deliveries. */
export interface FaultEffect {
  readonly status?: number;
  /** Headers of the simulated response; without a status they are added to the real response. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A 500 whose text says 429, as from services that lose the status of a service behind them. */
  readonly throttledAs500?: boolean;
  /** Time of the jar's clock. */
  readonly latencyMs?: number;
  /** The connection is closed before the request is processed: nothing changes. */
  readonly drop?: boolean;
  /** The request is processed, but the connection is closed instead of a response. */
  readonly dropAnswer?: boolean;
  /** The body is sent in ten pieces, with this pause by the jar's clock before each. */
  readonly slowBodyMs?: number;
  /** The connection is closed after this many bytes of the body. */
  readonly cutBodyAfter?: number;
  /** A delivery is sent twice. */
  readonly duplicate?: boolean;
  /** A delivery is sent after the one behind it. */
  readonly outOfOrder?: boolean;
  /** A delivery is sent although its subscription was deleted. */
  readonly afterDelete?: boolean;
}

/** Effects of deliveries only; a rule with one of them applies to outbound requests. */
export const DELIVERY_EFFECTS = ['duplicate', 'outOfOrder', 'afterDelete'] as const;

/** `Retry-After` in seconds, unless the rule specifies it. */
export const DEFAULT_RETRY_AFTER = '1';

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

export interface WireBody {
  readonly contentType: string;
  readonly payload: string;
}

/** The body of an effect as sent: text unchanged, anything else as JSON. */
export function bodyOfEffect({ body }: Pick<FaultEffect, 'body'>): WireBody | undefined {
  if (body === undefined) return undefined;
  return typeof body === 'string'
    ? { contentType: TEXT, payload: body }
    : { contentType: JSON_TYPE, payload: JSON.stringify(body) };
}

/** Default headers of a status; the rule can override them. */
export function headersOfStatus(status: number): Readonly<Record<string, string>> {
  return status === 429 || status === 503 ? { 'retry-after': DEFAULT_RETRY_AFTER } : {};
}

/** The response of an effect without an API's error format; used for deliveries in place of the receiver's response. */
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
