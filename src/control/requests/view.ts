import { Type } from 'typebox';
import { listShape } from '../../kernel/odata/index.ts';
import { LONGEST_BODY, type RequestEntry, redactText, redactUrl } from '../../kernel/telemetry/index.ts';
import { isId } from './ids.ts';

const Optional = {
  text: (description: string) => Type.Optional(Type.String({ description })),
  bytes: (description: string) => Type.Optional(Type.Integer({ minimum: 0, description })),
};

const members = {
  id: Type.String({ description: 'For Last-Event-ID of GET /_jar/requests/live: resumes the stream after this entry' }),
  direction: Type.Enum(['inbound', 'outbound']),
  at: Type.String({ description: "When the request was received or sent, by the jar's clock" }),
  systemAt: Type.String({ description: 'The same by the system clock' }),
  service: Type.String(),
  operation: Optional.text('The operation of the OpenAPI document'),
  method: Type.String(),
  path: Optional.text('Path and query of a request, without secrets'),
  target: Optional.text('Address of a delivery, without the query'),
  status: Type.Optional(Type.Integer({ description: 'Absent if there was no answer' })),
  ms: Type.Number({ description: 'Duration in milliseconds of real time' }),
  requestBytes: Optional.bytes('Size of the request body, if the client announced it'),
  answerBytes: Optional.bytes('Size of the response body; absent if it is a stream'),
  caller: Optional.text('The user or the application, if known'),
  requestId: Optional.text('The id in the answer and in the log'),
  clientRequestId: Optional.text('x-ms-client-request-id or client-request-id'),
  traceparent: Optional.text('As sent by the client'),
  fault: Optional.text('The fault rule that applied'),
  repeats: Optional.text('The id of the request that POST /_jar/requests/{id}/send repeated with this one'),
  error: Type.Optional(Type.Object({ code: Type.Optional(Type.String()), message: Type.Optional(Type.String()) })),
  delivery: Type.Optional(
    Type.Object({
      id: Type.String({ description: 'Id of the first delivery in the message' }),
      deliveries: Type.Integer({ description: 'Number of deliveries in the message' }),
      policy: Type.String(),
      attempt: Type.Integer(),
      outcome: Type.String(),
      nextAt: Optional.text("Time of the next attempt, by the jar's clock; absent if there is none"),
    }),
  ),
};

export const RequestView = Type.Object(members);

const Message = Type.Object({
  headers: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])),
  body: Optional.text('Without secrets'),
  bodyBytes: Optional.bytes('Size of the whole body, if known'),
  bodyCut: Type.Optional(Type.Literal(true, { description: `Only the first ${LONGEST_BODY} bytes are kept` })),
  bodyOmitted: Type.Optional(
    Type.Enum(['binary', 'stream', 'unread', 'secret'], {
      description:
        'Why there is no body: it is not text, was a stream, was not read before the answer, or contains secrets',
    }),
  ),
});

export const RequestDetailView = Type.Object({
  ...members,
  request: Type.Optional(Message),
  response: Type.Optional(Message),
  details: Type.Optional(
    Type.Literal('dropped', {
      description:
        'Headers and bodies are not kept: newer ones have taken their place, or there were too many requests',
    }),
  ),
});

const Text = { type: 'Edm.String' } as const;
const Count = { type: 'Edm.Int64' } as const;
const Time = { type: 'Edm.DateTimeOffset' } as const;

export const requestShape = listShape<object>('requests', {
  id: Text,
  direction: Text,
  at: Time,
  systemAt: Time,
  service: Text,
  operation: Text,
  method: Text,
  path: Text,
  target: Text,
  status: Count,
  ms: { type: 'Edm.Double' },
  requestBytes: Count,
  answerBytes: Count,
  caller: Text,
  requestId: Text,
  clientRequestId: Text,
  traceparent: Text,
  fault: Text,
  repeats: Text,
  error: { type: { properties: { code: Text, message: Text } } },
  delivery: {
    type: { properties: { id: Text, deliveries: Count, policy: Text, attempt: Count, outcome: Text, nextAt: Time } },
  },
});

/** A request as shown to holders of the admin key. */
export function requestView(entry: RequestEntry, id: string): object {
  const { direction, url, code, reason, caller, clientRequestId, traceparent, delivery } = entry;
  return present({
    id,
    direction,
    at: iso(entry.at),
    systemAt: iso(entry.systemAt),
    service: entry.service,
    operation: entry.operation,
    method: entry.method,
    [direction === 'inbound' ? 'path' : 'target']: redactUrl(url),
    status: entry.status,
    ms: entry.ms,
    requestBytes: entry.requestBytes,
    answerBytes: entry.answerBytes,
    caller: redacted(caller),
    requestId: entry.requestId,
    clientRequestId: redacted(clientRequestId),
    traceparent: redacted(traceparent),
    fault: entry.fault,
    repeats: repeatedId(entry),
    error: code === undefined && reason === undefined ? undefined : present({ code, message: redacted(reason) }),
    delivery:
      delivery && present({ ...delivery, nextAt: delivery.nextAt === undefined ? undefined : iso(delivery.nextAt) }),
  });
}

/** The marker is a header, which any client can send; only the form of its id is checked. */
function repeatedId({ repeats }: RequestEntry): string | undefined {
  const [id = ''] = repeats?.split(';', 1) ?? [];
  return isId(id) ? id : undefined;
}

const redacted = (text: string | undefined): string | undefined => (text === undefined ? undefined : redactText(text));

export const present = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const iso = (at: number): string => new Date(at).toISOString();
