import type { Reader } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { membersOf } from '../engine/json.ts';
import { objectKey, objects } from '../engine/objects.ts';
import type { PlatformJar } from '../jar.ts';
import { type DestinationType, openConfig, typeOfConfig } from './config.ts';
import { DESTINATIONS } from './kind.ts';

export interface Destination {
  readonly id: string;
  readonly name: string;
  readonly type: DestinationType;
  /** Includes secrets: for delivery, never for an answer. */
  readonly config: JsonMembers;
}

/**
 * A destination with what is needed to send to it. If it was sealed with another key of the jar, it cannot be used and counts as deleted.
 */
export async function findDestination(
  reader: Reader,
  { vault, log }: Pick<PlatformJar, 'vault' | 'log'>,
  workspaceId: string,
  id: string,
): Promise<Destination | undefined> {
  const found = (await reader.get(objects, objectKey(workspaceId, DESTINATIONS.name, id), 'none'))?.value;
  if (!found) return undefined;
  const config = membersOf(found.fields.config);
  try {
    return { id, name: found.name ?? '', type: typeOfConfig(config), config: openConfig(vault, config) };
  } catch (error) {
    log.warn(
      { err: error, destination: id },
      'the secrets of a notification destination cannot be decrypted: nothing is sent to it',
    );
    return undefined;
  }
}
