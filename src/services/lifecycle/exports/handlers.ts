import { accepted, ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { holdApp } from '../apps/current-rights.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { backlogOfNew, backlogOfStopped } from './backlog.ts';
import { configurationKey, type ExportConfiguration, exportConfigurations } from './collections.ts';
import { dropConfiguration } from './drop.ts';
import { configurationsOf, isActive, MOST_CONFIGURATIONS } from './queue.ts';
import {
  ChangedConfiguration,
  type Changes,
  ConfigurationList,
  ConfigurationView,
  configurationView,
  NewConfiguration,
  readChanges,
  requireDestination,
} from './shape.ts';
import { putConfiguration } from './state.ts';
import { wakeExport } from './work.ts';

export const listConfigurations = routeCode([], {
  responses: { 200: ConfigurationList },
  async handle(call) {
    const found = await configurationsOf(call.jar.store, appOf(call).id);
    return ok({ values: found.map(configurationView), total: found.length });
  },
});

export const getConfiguration = routeCode(['export_configuration_id'], {
  responses: { 200: ConfigurationView },
  async handle(call) {
    const id = call.params.export_configuration_id;
    const found = await call.jar.store.get(exportConfigurations, configurationKey(appOf(call).id, id));
    if (!found) throw noSuch(id);
    return ok(configurationView(found.value));
  },
});

export const createConfiguration = routeCode([], {
  body: NewConfiguration,
  responses: { 202: ConfigurationView },
  async handle(call) {
    const { jar, body } = call;
    requireDestination(body.type, body);
    const changes = readChanges(jar.vault, body.type, body);
    const made = await jar.store.transact(async (tx) => {
      const appId = await holdForExport(tx, call);
      if ((await configurationsOf(tx, appId)).length >= MOST_CONFIGURATIONS) {
        const reason = `The app has ${MOST_CONFIGURATIONS} export configurations, which is the maximum; delete one first.`;
        throw errors.BadRequest({ reason });
      }
      const now = jar.clock.now();
      const backfill = changes.backfill ?? true;
      const configuration: ExportConfiguration = {
        entities: [],
        ...changes,
        id: uuid(),
        appId,
        kind: body.type,
        backfill,
        createdAt: new Date(now).toISOString(),
        state: 'Pending',
        ...backlogOfNew(now, backfill),
      };
      await putConfiguration(tx, configuration, now);
      await wakeExport(tx, configuration, now);
      return configuration;
    });
    return accepted({}, configurationView(made));
  },
});

export const updateConfiguration = routeCode(['export_configuration_id'], {
  body: ChangedConfiguration,
  responses: { 200: ConfigurationView },
  async handle(call) {
    const changed = await change(call, (current, now) => updated(call.jar, current, call.body, now));
    return ok(configurationView(changed));
  },
});

export const enableConfiguration = routeCode(['export_configuration_id'], {
  responses: { 200: 'Enabled' },
  async handle(call) {
    await change(call, activated);
    return { status: 200 };
  },
});

export const disableConfiguration = routeCode(['export_configuration_id'], {
  responses: { 200: 'Disabled' },
  async handle(call) {
    await change(call, (current, now) => {
      if (current.state === 'Disabled') return current;
      const { trouble: _, stateInfo: __, ...rest } = current;
      return { ...rest, state: 'Disabled', inactiveSince: current.inactiveSince ?? now };
    });
    return { status: 200 };
  },
});

export const deleteConfiguration = routeCode(['export_configuration_id'], {
  responses: { 200: 'Ended' },
  async handle(call) {
    const { jar, params } = call;
    const id = params.export_configuration_id;
    await jar.store.transact(async (tx) => {
      const appId = await holdForExport(tx, call);
      const found = await tx.get(exportConfigurations, configurationKey(appId, id));
      if (!found) throw noSuch(id);
      await dropConfiguration(tx, found.value, jar.clock.now());
    });
    return { status: 200 };
  },
});

/** Checks the destination again, whatever the previous error was. */
function activated(current: ExportConfiguration, now: number): ExportConfiguration {
  if (isActive(current)) return current;
  const { trouble: _, stateInfo: __, inactiveSince: ___, backlog: ____, ...rest } = current;
  return { ...rest, state: 'Pending', ...backlogOfStopped(now, current) };
}

/** A changed destination is checked first; a disabled configuration stays disabled. */
function updated(jar: Jar, current: ExportConfiguration, body: Changes, now: number): ExportConfiguration {
  if (body.type !== undefined && body.type !== current.kind) {
    const reason = `The type of an export configuration cannot be changed; it is '${current.kind}'.`;
    throw errors.BadRequest({ reason }, { target: 'type' });
  }
  const changes = readChanges(jar.vault, current.kind, body);
  const changed: ExportConfiguration = { ...current, ...changes };
  const isElsewhere = changes.sealed !== undefined || changes.subscriptionId !== undefined;
  if (!isElsewhere || current.state === 'Disabled') return changed;
  if (!isActive(changed)) return activated(changed, now);
  const { trouble: _, stateInfo: __, ...rest } = changed;
  return { ...rest, state: 'Pending' };
}

async function change(
  call: Call<{ readonly export_configuration_id: string }>,
  how: (current: ExportConfiguration, now: number) => ExportConfiguration,
): Promise<ExportConfiguration> {
  const { jar, params } = call;
  const id = params.export_configuration_id;
  return jar.store.transact(async (tx) => {
    const appId = await holdForExport(tx, call);
    const current = (await tx.get(exportConfigurations, configurationKey(appId, id)))?.value;
    if (!current) throw noSuch(id);
    const now = jar.clock.now();
    const changed = how(current, now);
    if (changed === current) return current;
    await putConfiguration(tx, changed, now, current.state);
    if (isActive(changed)) await wakeExport(tx, changed, now);
    return changed;
  });
}

/** Returns the app id. Accepting logs takes a shared lock on the app, so no log falls between two states of a configuration. */
const holdForExport = async (tx: Tx, call: Pick<Call, 'facts' | 'correlationId'>): Promise<string> =>
  (await holdApp(tx, call, 'manager')).app.id;

const noSuch = (id: string) =>
  errors.NotFound({ reason: `The app has no export configuration '${id.slice(0, 100)}'.` });
