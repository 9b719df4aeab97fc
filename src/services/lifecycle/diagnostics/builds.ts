import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { allOf, atLeast, atMost, eq, type Filter, walk } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { reportGroups } from './collections.ts';
import { ErrorType, ofKind, TOP, topOf, WINDOW, type Window, windowOf } from './query.ts';
import { groupFilter } from './search-shapes.ts';

/** The versions and builds of an app with reports. */

export interface Build {
  readonly version: string;
  readonly build: string;
}

/** The builds of an app's groups that match a filter, without duplicates, in name order. */
export async function buildsWhere({ store }: Jar, appId: string, filter: Filter = allOf()): Promise<Build[]> {
  const found = new Map<string, Build>();
  for await (const { value } of walk(store, reportGroups, { prefix: `${appId}/`, filter })) {
    const { version, build } = value;
    found.set(JSON.stringify([version, build]), { version, build });
  }
  return [...found.values()].sort((a, b) => natural(a.version, b.version) || natural(a.build, b.build));
}

/** Natural order: 1.10 comes after 1.9. */
const { compare: natural } = new Intl.Collator('en', { numeric: true });

const reportedIn = ({ start, end }: Window, errorType: string | undefined): Filter =>
  allOf(atLeast('last', start), atMost('first', end), ofKind(errorType));

export const availableVersions = routeCode([], {
  query: Type.Object({
    ...WINDOW,
    ...TOP,
    $skip: Type.Optional(Type.Integer({ minimum: 0 })),
    $filter: Type.Optional(Type.String()),
    $inlinecount: Type.Optional(Type.Enum(['allpages', 'none'])),
    errorType: Type.Optional(ErrorType),
  }),
  responses: {
    200: Type.Object({ versions: Type.Array(Type.String()), total_count: Type.Optional(Type.Integer()) }),
  },
  async handle(call) {
    const { $skip = 0, $filter, $inlinecount, errorType } = call.query;
    const filter = allOf(reportedIn(windowOf(call), errorType), await groupFilter($filter, call.receivedAt));
    const builds = await buildsWhere(call.jar, appOf(call).id, filter);
    const versions = [...new Set(builds.map(({ version }) => version))];
    return ok({
      versions: versions.slice($skip, $skip + topOf(call.query)),
      ...($inlinecount === 'allpages' && { total_count: versions.length }),
    });
  },
});

export const availableAppBuilds = routeCode([], {
  query: Type.Object({ ...WINDOW, ...TOP, version: Type.String(), errorType: Type.Optional(ErrorType) }),
  responses: { 200: Type.Object({ appBuilds: Type.Array(Type.String()) }) },
  async handle(call) {
    const { version, errorType } = call.query;
    const filter = allOf(reportedIn(windowOf(call), errorType), eq('version', version));
    const builds = await buildsWhere(call.jar, appOf(call).id, filter);
    return ok({ appBuilds: builds.map(({ build }) => build).slice(0, topOf(call.query)) });
  },
});
