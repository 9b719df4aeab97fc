import type { Json } from '../../kernel/store/index.ts';

export type InputSchema = 'EventGridSchema' | 'CloudEventSchemaV1_0' | 'CustomEventSchema';

export type JsonObject = { readonly [key: string]: Json | undefined };

/** An event inside the jar, whatever schema it came in: plain JSON, so that it can wait in the store. */
export type GridEvent = {
  readonly schema: InputSchema;
  readonly id: string;
  /** `eventType`, `type`. */
  readonly type: string;
  readonly subject: string;
  /** ISO 8601, as it was sent. */
  readonly time: string;
  readonly dataVersion: string;
  /** The id of the topic, the topic of a domain, or the scope that it belongs to. */
  readonly topic: string;
  /** Absent where there was none; `null` where that was sent. */
  readonly data?: Json;
  /** As it was sent: of a CloudEvent with its extensions, of an event in a custom schema all there is. Absent for native ones. */
  readonly original?: JsonObject;
};

/** An event and the scopes whose subscriptions it concerns: its topic, and what that is part of. Keys, in lower case. */
export interface Publication {
  readonly event: GridEvent;
  readonly scopes: readonly string[];
  /** When it happened, if that was before now: subscriptions that are younger do not get it. */
  readonly at?: number;
  /** Leaves no trace where nobody has subscribed to anything. */
  readonly quiet?: boolean;
}
