import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import { allOf, eq } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { type OwnBinary, type Report, reports } from '../diagnostics/collections.ts';
import { reportsOf } from '../diagnostics/counts.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { symbolKey, symbols } from './collections.ts';

/** Symbols that reports of native crashes need and that are not available. */

const SYMBOL_STATES = ['missing', 'ignored', 'available'] as const;
type SymbolState = (typeof SYMBOL_STATES)[number];

const Groups = Type.Object({
  total_crash_count: Type.Integer(),
  groups: Type.Array(
    Type.Object({
      symbol_group_id: Type.String(),
      crash_count: Type.Integer(),
      error_count: Type.Integer(),
      app_id: Type.String(),
      app_ver: Type.String(),
      app_build: Type.String(),
      last_modified: Type.String(),
      missing_symbols: Type.Array(
        Type.Object({
          symbol_id: Type.String(),
          name: Type.String(),
          platform: Type.String(),
          status: Type.Enum([...SYMBOL_STATES]),
        }),
      ),
      status: Type.Enum(['active', 'pending', 'closed']),
    }),
  ),
});

interface MissingGroup {
  readonly id: string;
  readonly version: string;
  readonly build: string;
  readonly binaries: readonly OwnBinary[];
  crashes: number;
  errors: number;
  lastReceived: string;
}

async function missingGroups(jar: Jar, appId: string, id?: string): Promise<MissingGroup[]> {
  const groups = new Map<string, MissingGroup>();
  const one = id === undefined ? ({ op: 'ne', field: 'symbolGroup', value: null } as const) : eq('symbolGroup', id);
  for await (const report of reportsOf(jar, allOf(eq('appId', appId), one))) addTo(groups, report);
  return [...groups.values()].sort((a, b) => b.crashes - a.crashes);
}

function addTo(groups: Map<string, MissingGroup>, report: Report): void {
  const { symbols: needed, version, build, receivedAt } = report;
  if (!needed) return;
  const group = groups.get(needed.groupId) ?? {
    id: needed.groupId,
    version,
    build,
    binaries: needed.binaries,
    crashes: 0,
    errors: 0,
    lastReceived: receivedAt,
  };
  if (report.kind === 'unhandledError') group.crashes++;
  else group.errors++;
  if (receivedAt > group.lastReceived) group.lastReceived = receivedAt;
  groups.set(group.id, group);
}

/** True if any report needs this symbol. */
export async function isNeeded(jar: Jar, appId: string, symbolId: string): Promise<boolean> {
  const filter = allOf(eq('appId', appId), { op: 'has', field: 'symbolIds', value: symbolId });
  return (await jar.store.query(reports, { filter, limit: 1 })).items.length > 0;
}

/** States of an app's symbols; each is looked up once. */
class SymbolStates {
  readonly #jar: Jar;
  readonly #appId: string;
  readonly #known = new Map<string, Promise<SymbolState>>();

  constructor(jar: Jar, appId: string) {
    this.#jar = jar;
    this.#appId = appId;
  }

  of(id: string): Promise<SymbolState> {
    const state = this.#known.get(id) ?? this.#look(id);
    this.#known.set(id, state);
    return state;
  }

  async #look(id: string): Promise<SymbolState> {
    return (await this.#jar.store.get(symbols, symbolKey(this.#appId, id)))?.value.status ?? 'missing';
  }
}

async function viewsOf(jar: Jar, appId: string, groups: readonly MissingGroup[]) {
  const states = new SymbolStates(jar, appId);
  const views = [];
  for (const group of groups) views.push(await groupView(states, appId, group));
  return views;
}

async function groupView(states: SymbolStates, appId: string, group: MissingGroup) {
  const missing = await Promise.all(
    group.binaries.map(async ({ id, name }) => ({
      symbol_id: id,
      name,
      platform: 'ios',
      status: await states.of(id),
    })),
  );
  return {
    symbol_group_id: group.id,
    crash_count: group.crashes,
    error_count: group.errors,
    app_id: appId,
    app_ver: group.version,
    app_build: group.build,
    last_modified: group.lastReceived,
    missing_symbols: missing,
    status: missing.some(({ status }) => status === 'missing') ? 'active' : 'closed',
  };
}

/** Groups with a missing symbol. */
async function activeGroups({ jar }: Pick<Call, 'jar'>, appId: string) {
  const views = await viewsOf(jar, appId, await missingGroups(jar, appId));
  return views.filter(({ status }) => status === 'active');
}

const totalOf = (groups: readonly { readonly crash_count: number }[]): number =>
  groups.reduce((sum, { crash_count }) => sum + crash_count, 0);

const MOST_LISTED = 2000;

export const listMissing = routeCode([], {
  query: Type.Object({ top: Type.Integer({ minimum: 0, maximum: MOST_LISTED }), filter: Type.Optional(Type.String()) }),
  responses: { 200: Groups },
  async handle(call) {
    const { top, filter = '' } = call.query;
    const wanted = filter.toLowerCase();
    const groups = (await activeGroups(call, appOf(call).id)).filter(
      ({ app_ver, app_build, missing_symbols }) =>
        wanted === '' ||
        [app_ver, app_build, ...missing_symbols.map(({ name }) => name)].some((text) =>
          text.toLowerCase().includes(wanted),
        ),
    );
    return ok({ total_crash_count: totalOf(groups), groups: groups.slice(0, top) });
  },
});

export const getMissing = routeCode(['symbol_group_id'], {
  responses: { 200: Groups },
  async handle(call) {
    const { symbol_group_id: id } = call.params;
    const { id: appId } = appOf(call);
    const groups = await missingGroups(call.jar, appId, id.toLowerCase());
    if (groups.length === 0) {
      throw errors.NotFound({ reason: `There is no group of missing symbols '${id.slice(0, 100)}' in this app.` });
    }
    const views = await viewsOf(call.jar, appId, groups);
    return ok({ total_crash_count: totalOf(views), groups: views });
  },
});

export const missingInfo = routeCode([], {
  responses: { 200: Type.Object({ total_crash_count: Type.Integer() }) },
  handle: async (call) => ok({ total_crash_count: totalOf(await activeGroups(call, appOf(call).id)) }),
});
