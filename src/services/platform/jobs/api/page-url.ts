import type { PlatformCall } from '../../jar.ts';
import type { Run } from '../run.ts';

/** URL of the page of a run, in the format of the real service. The jar has no such page. */
export const pageUrl = ({ origin }: Pick<PlatformCall, 'origin'>, { workspaceId, jobId }: Run, id: string): string =>
  `${origin}/?o=${workspaceId}#job/${jobId ?? id}/run/${id}`;
