import type { Static } from 'typebox';
import { noContent, ok } from '../../../kernel/http/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { accessOf, appOf } from '../access/access.ts';
import { recordChange } from '../accounts/changes.ts';
import { claimAppName } from '../accounts/make.ts';
import { checkName } from '../accounts/names.ts';
import { type App, appNames, apps, nameKey } from '../collections.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { holdApp } from './current-rights.ts';
import { AppChanges } from './fields.ts';
import { dropPictureOfApp } from './pictures.ts';
import { removeApp } from './remove.ts';
import { AppView, appView } from './shape.ts';

export const getApp = routeCode([], {
  responses: { 200: AppView },
  async handle(call) {
    return ok(await appView(call, { app: appOf(call), standing: accessOf(call).standing }));
  },
});

export const updateApp = routeCode([], {
  body: AppChanges,
  responses: { 200: AppView },
  async handle(call) {
    const { jar, body } = call;
    checkChanges(body);
    const updatedAt = new Date(jar.clock.now()).toISOString();
    const seen = await jar.store.transact(async (tx) => {
      const { app: before, standing } = await holdApp(tx, call, 'manager');
      const changes = changesIn(body, before);
      if (Object.keys(changes).length === 0) return { app: before, standing };
      const app: App = { ...before, ...changes, updatedAt };
      if (app.name !== before.name) await moveName(tx, before, app.name);
      if (app.iconUrl !== before.iconUrl) await dropPictureOfApp(tx, jar, before);
      await tx.put(apps, app.id, app);
      await recordChange(tx, jar, 'write', `lifecycle/apps/${app.id}`, {
        name: app.name,
        changed: Object.keys(changes),
      });
      return { app, standing };
    });
    return ok(await appView(call, seen));
  },
});

type Changes = Static<typeof AppChanges>;

function checkChanges({ name, icon_url: iconUrl, icon_asset_id: assetId }: Changes): void {
  if (name !== undefined) checkName(name);
  if (iconUrl && !/^https?:\/\/[^\s]+$/i.test(iconUrl)) {
    const reason = `The icon_url '${iconUrl.slice(0, 100)}' is not the URL of a picture: it must begin with http:// or https://.`;
    throw errors.BadRequest({ reason }, { target: 'icon_url' });
  }
  if (assetId) {
    const reason = `There is no file asset '${assetId.slice(0, 60)}': upload the picture as the avatar of the app.`;
    throw errors.BadRequest({ reason }, { target: 'icon_asset_id' });
  }
}

/** The changed properties. For a nullable property an empty text means none. */
function changesIn(body: Changes, before: App): Partial<App> {
  const wanted: Partial<App> = {
    ...(body.display_name !== undefined && { displayName: body.display_name }),
    ...(body.name !== undefined && { name: body.name }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.release_type !== undefined && { releaseType: body.release_type || null }),
    ...(body.icon_url !== undefined && { iconUrl: body.icon_url || null }),
  };
  const differing = Object.entries(wanted).filter(([field, value]) => before[field as keyof App] !== value);
  return Object.fromEntries(differing);
}

async function moveName(tx: Tx, { id, owner, name: before }: App, after: string): Promise<void> {
  await claimAppName(tx, owner, after, id);
  const key = nameKey(owner.id, before);
  if (key !== nameKey(owner.id, after)) await tx.delete(appNames, key);
}

export const deleteApp = routeCode([], {
  responses: { 204: 'Deleted' },
  async handle(call) {
    const { jar } = call;
    await jar.store.transact(async (tx) => {
      const { app } = await holdApp(tx, call, 'administrator');
      await removeApp(tx, jar, app.id);
    });
    return noContent();
  },
});
