import { ok } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { recordChange } from '../accounts/changes.ts';
import { dropPicture, readPicture, replacePicture } from '../accounts/pictures.ts';
import { type App, apps } from '../collections.ts';
import { routeCode } from '../jar.ts';
import { holdApp } from './current-rights.ts';
import type { OnDelete } from './deletion.ts';
import { AppView, appView } from './shape.ts';

export const updateAppAvatar = routeCode([], {
  responses: { 200: AppView },
  async handle(call) {
    const picture = await readPicture(call);
    return changePicture(call, (tx, { iconUrl }) => replacePicture(tx, iconUrl, picture));
  },
});

export const deleteAppAvatar = routeCode([], {
  responses: { 200: AppView },
  handle: (call) =>
    changePicture(call, async (tx, { iconUrl }) => {
      await dropPicture(tx, iconUrl);
      return null;
    }),
});

async function changePicture(call: Call, change: (tx: Tx, app: App) => Promise<string | null>) {
  const { jar } = call;
  const updatedAt = new Date(jar.clock.now()).toISOString();
  const seen = await jar.store.transact(async (tx) => {
    const { app: before, standing } = await holdApp(tx, call, 'manager');
    const app: App = { ...before, iconUrl: await change(tx, before), updatedAt };
    await tx.put(apps, app.id, app);
    await recordChange(tx, jar, 'write', `lifecycle/apps/${app.id}`, { name: app.name, changed: ['iconUrl'] });
    return { app, standing };
  });
  return ok(await appView(call, seen));
}

export const dropPictureOfApp: OnDelete = (tx, _jar, { iconUrl }) => dropPicture(tx, iconUrl);
