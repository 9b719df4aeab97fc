import type { Reader } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { PlatformJar } from '../jar.ts';

export interface Destination {
  readonly id: string;
  readonly type: 'EMAIL' | 'SLACK' | 'PAGERDUTY' | 'MICROSOFT_TEAMS' | 'WEBHOOK';
  readonly config: JsonMembers;
}

/** Stands in until destinations are on main. */
export const findDestination = async (
  _reader: Reader,
  _jar: PlatformJar,
  _workspaceId: string,
  _id: string,
): Promise<Destination | undefined> => undefined;
