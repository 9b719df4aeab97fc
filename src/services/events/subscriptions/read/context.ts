import { bodyFields } from '../../../../kernel/arm/body/index.ts';
import type { Definition, DeliverySchema, Secrets } from '../../definition.ts';
import type { InputSchema } from '../../event.ts';

/** Context for validating a definition. */
export interface ReadContext {
  /** By the jar's clock. */
  readonly now: number;
  /** True if plain http is accepted for an address. */
  mayUseHttp(url: URL): boolean;
  /** Input schema and identity of the parent. */
  readonly inputSchema: InputSchema;
  readonly identity: unknown;
  /** The current definition: a client may send back what it read, without secrets. */
  readonly known: Definition | undefined;
  readonly knownSecrets: Secrets;
  /** For a PATCH: a web hook without an address keeps the known one, since Python clients leave read-only members out. */
  readonly keepsAddress: boolean;
  /** For a PUT without a schema: the schema that was set before. */
  readonly keptSchema: DeliverySchema | undefined;
  /** Event types of a filter that names none, if the parent's topic type has a default set. */
  readonly defaultEventTypes: readonly string[] | undefined;
}

export const { object, union, list, text, word, integer, boolean, time, resourceId, custom } =
  bodyFields<ReadContext>();
