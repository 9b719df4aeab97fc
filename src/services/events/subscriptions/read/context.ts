import { bodyFields } from '../../../../kernel/arm/body/index.ts';
import type { Definition, Secrets } from '../../definition.ts';
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
}

export const { object, union, list, text, word, integer, boolean, time, resourceId, custom } =
  bodyFields<ReadContext>();
