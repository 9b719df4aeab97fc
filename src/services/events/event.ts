import type { Json } from '../../kernel/store/index.ts';

export type InputSchema = 'EventGridSchema' | 'CloudEventSchemaV1_0' | 'CustomEventSchema';

export type JsonObject = { readonly [key: string]: Json | undefined };

/** An event inside the jar, whatever schema it was published in: plain JSON, so that it can be stored. */
export type GridEvent = {
  readonly schema: InputSchema;
  readonly id: string;
  /** `eventType` of a native event, `type` of a CloudEvent. */
  readonly type: string;
  readonly subject: string;
  /** ISO 8601, as it was sent. */
  readonly time: string;
  readonly dataVersion: string;
  /** Id of the topic, the topic of a domain, or the scope that the event was published to. */
  readonly topic: string;
  /** Absent if none was sent; `null` if null was sent. */
  readonly data?: Json;
  /** The event as it was sent: a CloudEvent with its extensions, or an event in a custom schema. Absent for native events. */
  readonly original?: JsonObject;
};

/** An event and the keys, in lower case, of the scopes whose subscriptions it concerns: its topic and the parents of the topic. */
export interface Publication {
  readonly event: GridEvent;
  readonly scopes: readonly string[];
  /** Time of the event, if before now: subscriptions that went live later do not get it. */
  readonly at?: number;
  /** Writes no trace if its scopes have no subscriptions. */
  readonly quiet?: boolean;
}
