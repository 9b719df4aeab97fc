import type { PlatformCall } from '../../jar.ts';
import type { Run } from '../run.ts';

/** The address of the page of a run, in the form that people know. There is no such page here. */
export const pageUrl = ({ origin }: Pick<PlatformCall, 'origin'>, { workspaceId, jobId }: Run, id: string): string =>
  `${origin}/?o=${workspaceId}#job/${jobId ?? id}/run/${id}`;
