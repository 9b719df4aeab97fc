import { allOf, eq } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { wholeNumber } from '../../engine/paging.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { readersFilter } from '../../permissions/guard.ts';
import { jobs } from '../collections.ts';
import type { Job } from '../job.ts';
import { invalid } from '../settings/rules.ts';
import { jobErrors } from './errors.ts';
import { jobViews } from './job-view.ts';
import { limitIn, readBothWays } from './lists.ts';
import { flagIn, versionOf } from './request.ts';

const SIZES = { usual: 20, most: 100 } as const;
/** Version 2.0 has no pagination; it refuses to list more jobs than this. */
const MOST_AT_ONCE = 3000;

export async function listJobs(call: PlatformCall): Promise<JsonMembers> {
  const { query } = call;
  const { id: workspace } = workspaceIn(call);
  const name = typeof query.name === 'string' && query.name !== '' ? query.name.toLowerCase() : undefined;
  const whole = name === undefined ? eq('workspace', workspace) : allOf(eq('workspace', workspace), eq('name', name));
  const list = {
    collection: jobs,
    segments: [whole],
    filter: readersFilter(call),
    order: 'createdAt',
    of: ({ createdAt }: Job) => createdAt,
  };
  if (versionOf(call) === '2.0') {
    const { items, next } = await readBothWays(call, { ...list, size: MOST_AT_ONCE });
    if (next !== undefined) throw jobErrors.QUOTA_EXCEEDED__List({ most: MOST_AT_ONCE });
    return { jobs: await jobViews(call, items, { expanded: true }) };
  }
  const offset = wholeNumber(query, 'offset') ?? 0;
  if (offset < 0) throw invalid("The parameter 'offset' must not be negative.");
  const page = await readBothWays(call, { ...list, size: limitIn(wholeNumber(query, 'limit'), SIZES), skip: offset });
  return {
    jobs: await jobViews(call, page.items, { expanded: flagIn(query, 'expand_tasks') }),
    has_more: page.next !== undefined,
    ...(page.next !== undefined && { next_page_token: page.next }),
    ...(page.previous !== undefined && { prev_page_token: page.previous }),
  };
}
