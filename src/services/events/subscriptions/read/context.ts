import { bodyFields } from '../../../../kernel/arm/body/index.ts';
import type { Definition, DeliverySchema, Secrets } from '../../definition.ts';
import type { InputSchema } from '../../event.ts';

/** What a definition is held against while it is read. */
export interface ReadContext {
  /** By the jar's clock. */
  readonly now: number;
  /** Whether plain http will do for an address. */
  mayUseHttp(url: URL): boolean;
  /** Of the parent: what its events come in, and who it can be. */
  readonly inputSchema: InputSchema;
  readonly identity: unknown;
  /** As it is shown at the moment: what was read by a client may come back, its secrets left out. */
  readonly known: Definition | undefined;
  readonly knownSecrets: Secrets;
  /** Of a PATCH: a web hook without an address keeps the one that is known. Clients in Python leave read-only members out. */
  readonly keepsAddress: boolean;
  /** Of a PUT that says nothing of it: the schema that was set before. */
  readonly keptSchema: DeliverySchema | undefined;
  /** What a filter without event types lets through, where the parent has a default set. */
  readonly defaultEventTypes: readonly string[] | undefined;
}

export const { object, union, list, text, word, integer, boolean, time, resourceId, custom } =
  bodyFields<ReadContext>();
