import { Type } from 'typebox';
import { findWord } from '../../../kernel/arm/body/index.ts';
import { type AnyArmCode, mutate } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { type AccessKeys, accessKeys } from '../collections.ts';
import { armCode } from '../jar.ts';
import { KEY_NAMES, newKeys, openKeys, withNewKey } from './access-keys.ts';
import { notOneOf } from './body.ts';
import { findIn } from './find.ts';
import { DOMAIN, type Kind, TOPIC } from './kinds.ts';
import { KeysSchema } from './schema.ts';

export const listKeysOf = (kind: Pick<Kind, 'type'>): AnyArmCode =>
  armCode(['name'], {
    responses: { 200: KeysSchema },
    async handle(call, arm) {
      const sealed = await mutate(call, async (tx) => {
        const { key } = await findIn(tx, arm, kind, call.params.name, 'share');
        return (await tx.get(accessKeys, key, 'none'))?.value as AccessKeys;
      });
      return ok(openKeys(call.jar.vault, sealed));
    },
  });

export const regenerateKeyOf = (kind: Pick<Kind, 'type'>): AnyArmCode =>
  armCode(['name'], {
    body: Type.Object({ keyName: Type.String() }),
    responses: { 200: KeysSchema },
    async handle(call, arm) {
      const { vault } = call.jar;
      const keyName = findWord(KEY_NAMES, call.body.keyName);
      if (keyName === undefined) throw notOneOf('keyName', KEY_NAMES, call.body.keyName);
      const sealed = await mutate(call, async (tx) => {
        const { key } = await findIn(tx, arm, kind, call.params.name, 'share');
        const before = (await tx.get(accessKeys, key))?.value ?? newKeys(vault);
        const after = withNewKey(vault, before, keyName);
        await tx.put(accessKeys, key, after);
        return after;
      });
      return ok(openKeys(vault, sealed));
    },
  });

export const listTopicKeys = listKeysOf(TOPIC);
export const listDomainKeys = listKeysOf(DOMAIN);
export const regenerateTopicKey = regenerateKeyOf(TOPIC);
export const regenerateDomainKey = regenerateKeyOf(DOMAIN);
