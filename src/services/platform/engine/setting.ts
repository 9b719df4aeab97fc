import { ok } from '../../../kernel/http/index.ts';
import type { Json, Reader, Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { Sent } from './sent.ts';

/**
 * A setting of an account or a workspace, with the operations of all settings: read, change with the etag that was read, reset to the
 * default.
 */
export interface Setting<Value extends Json> {
  /** As in its path, for example `acct_ip_acl_enable`. */
  readonly name: string;
  /** Path prefix, for settings of an account. */
  readonly below?: string;
  /** Prefix of the operations' names, for example `accountIpAccess`. */
  readonly operations: string;
  readonly summaries: { readonly get: string; readonly update: string; readonly delete: string };
  /** Required role for changes, in addition to what the path requires. */
  readonly needs?: Operation['needs'];
  /** The member that contains the value on the wire. */
  readonly member: string;
  /** The default. */
  readonly usual: Value;
  /** The id of the account or workspace. */
  scope(call: PlatformCall): string;
  valueIn(sent: Sent): Value | undefined;
  stored(reader: Reader, scope: string): Promise<{ readonly etag: string; readonly value: Value } | undefined>;
  /** Takes locks that must precede the read of the setting. */
  prepare?(tx: Tx, scope: string, value: Value): Promise<void>;
  /** Validates and stores the value. */
  write(tx: Tx, call: PlatformCall, scope: string, value: Value): Promise<void>;
}

/** The etag of a setting that has never been changed. */
const UNSET = 'unset';

export function settingOperations<Value extends Json>(setting: Setting<Value>): readonly Operation[] {
  const { name, operations, summaries, member } = setting;
  const path = `${setting.below ?? ''}/settings/types/${name}/names/default`;
  const needs = setting.needs ? { needs: setting.needs } : {};

  const read = async (call: PlatformCall, reader: Reader) => {
    const stored = await setting.stored(reader, setting.scope(call));
    return { etag: stored?.etag ?? UNSET, value: stored?.value ?? setting.usual };
  };
  const view = ({ etag, value }: { readonly etag: string; readonly value: Value }) => ({
    etag,
    setting_name: 'default',
    [member]: { value },
  });
  const change = (call: PlatformCall, etag: string | undefined, value: Value) =>
    call.jar.store.transact(async (tx) => {
      const scope = setting.scope(call);
      await setting.prepare?.(tx, scope, value);
      const before = await read(call, tx);
      if (etag !== undefined && etag !== '' && etag !== before.etag)
        throw errors.RESOURCE_CONFLICT({
          reason: `The setting ${name} has changed in the meantime. Read it again and retry.`,
        });
      await setting.write(tx, call, scope, value);
      await tx.change({
        source: 'platform',
        kind: 'update',
        subject: `/${scope}/settings/${name}`,
        outcome: 'Succeeded',
        at: call.jar.clock.now(),
        data: { value },
      });
      return read(call, tx);
    });

  return [
    {
      method: 'GET',
      path,
      operation: `${operations}_get`,
      summary: summaries.get,
      code: routeCode([], { handle: async (call) => ok(view(await read(call, call.jar.store))) }),
    },
    {
      method: 'PATCH',
      path,
      operation: `${operations}_update`,
      summary: summaries.update,
      ...needs,
      code: routeCode([], {
        async handle(call) {
          const sent = new Sent(call.body).member('setting');
          const holder = sent?.member(member);
          const value = holder && setting.valueIn(holder);
          if (value === undefined)
            throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `setting.${member}.value` });
          return ok(view(await change(call, sent?.text('etag'), value)));
        },
      }),
    },
    {
      method: 'DELETE',
      path,
      operation: `${operations}_delete`,
      summary: summaries.delete,
      ...needs,
      code: routeCode([], {
        async handle(call) {
          const { etag } = await change(call, new Sent(call.query).text('etag'), setting.usual);
          return ok({ etag });
        },
      }),
    },
  ];
}
