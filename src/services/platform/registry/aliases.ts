import type { JsonMembers } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import { Request } from '../tracking/request.ts';
import { putModel, recordChange } from './change-model.ts';
import { findModel, findVersion, noSuchVersion, versionOf } from './find.ts';
import { checkAlias, checkAliasCount, versionIn } from './names.ts';
import { versionViewFor } from './transition.ts';
import { notifyRegistry } from './webhooks/notify.ts';

/** Aliases of versions of a model, as in the open-source server. Setting an existing alias moves it. */

export async function setAlias(call: PlatformCall): Promise<void> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const alias = sent.text('alias') ?? '';
  checkAlias(alias);
  const number = versionIn(sent);
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const { model } = await findVersion(call, name, number, 'CAN_EDIT', tx);
    const others = model.aliases.filter((each) => each.alias !== alias);
    checkAliasCount(others.length + 1);
    const after = await putModel(tx, { ...model, aliases: [...others, { alias, version: number }] });
    await recordChange(tx, jar, after, 'update', { alias, version: String(number) });
    const by = callerIdentity(call).principal.id;
    await notifyRegistry(tx, jar, { model: after, by, what: 'alias-set', alias, number });
  });
}

/** Deleting an alias that does not exist succeeds. */
export async function deleteAlias(call: PlatformCall): Promise<void> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const alias = sent.need('alias');
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const model = await findModel(call, name, 'CAN_EDIT', tx);
    const aliases = model.aliases.filter((each) => each.alias !== alias);
    if (aliases.length === model.aliases.length) return;
    const after = await putModel(tx, { ...model, aliases });
    await recordChange(tx, jar, after, 'update', { alias });
    await notifyRegistry(tx, jar, {
      model: after,
      by: callerIdentity(call).principal.id,
      what: 'alias-deleted',
      alias,
    });
  });
}

export async function versionByAlias(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const alias = sent.need('alias');
  const model = await findModel(call, name, 'CAN_READ');
  const number = model.aliases.find((each) => each.alias === alias)?.version;
  if (number === undefined)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `Registered model alias ${alias.slice(0, 300)} not found.` });
  const version = await versionOf(call.jar.store, model, number);
  if (!version) throw noSuchVersion(name, number);
  return versionViewFor(call, { model, version });
}
