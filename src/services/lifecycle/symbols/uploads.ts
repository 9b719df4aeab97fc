import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { allOf, eq } from '../../../kernel/store/index.ts';
import { appOf, userOf } from '../access/access.ts';
import { fileAddress, linkUntil } from '../diagnostics/links.ts';
import { eqIfGiven } from '../diagnostics/query.ts';
import { Location } from '../diagnostics/schemas.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { SYMBOL_TYPES, type SymbolUpload, symbolUploads, type UploadState } from './collections.ts';
import { commitUpload, examine } from './commit.ts';
import { findUpload } from './find.ts';
import { UploadView, uploadView } from './shape.ts';
import { addUpload, cancelExpiry, dropUpload, uploadKey } from './store.ts';

const short = Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()]));

export const createUpload = routeCode([], {
  body: Type.Object({
    symbol_type: Type.Enum([...SYMBOL_TYPES]),
    client_callback: Type.Optional(Type.Unknown()),
    file_name: short,
    build: short,
    version: short,
  }),
  responses: {
    200: Type.Object({ symbol_upload_id: Type.String(), upload_url: Type.String(), expiration_date: Type.String() }),
  },
  async handle(call) {
    const { symbol_type: type, file_name, version, build } = call.body;
    if (type === 'AndroidProguard' && !(version && build)) {
      const reason = "Symbols of the type AndroidProguard require the 'version' and the 'build' of their app.";
      throw errors.BadRequest({ reason }, { target: version ? 'build' : 'version' });
    }
    const at = new Date(call.jar.clock.now()).toISOString();
    const upload: SymbolUpload = {
      id: uuid(),
      appId: appOf(call).id,
      userId: userOf(call).id,
      type,
      state: 'created',
      ...(file_name && { fileName: file_name }),
      ...(version && { version }),
      ...(build && { build }),
      bytes: 0,
      blocks: [],
      arrived: {},
      at,
      createdAt: at,
      symbolIds: [],
    };
    await call.jar.store.transact((tx) => addUpload(tx, upload));
    return ok({
      symbol_upload_id: upload.id,
      upload_url: fileAddress(call, 'upload', uploadKey(upload)),
      expiration_date: new Date(linkUntil(call)).toISOString(),
    });
  },
});

export const getUpload = routeCode(['symbol_upload_id'], {
  responses: { 200: UploadView },
  handle: async (call) => ok(await uploadView(call.jar, await findUpload(call, call.params.symbol_upload_id))),
});

const END_STATES = ['committed', 'aborted'] as const;

/** Completes or aborts an upload. */
export const completeUpload = routeCode(['symbol_upload_id'], {
  body: Type.Object({ status: Type.Enum([...END_STATES]) }),
  responses: { 200: UploadView },
  async handle(call) {
    const { jar } = call;
    const { status } = call.body;
    const id = call.params.symbol_upload_id;
    const seen = await findUpload(call, id);
    const isNews = status === 'committed' && seen.state === 'created' && seen.bytes > 0;
    const findings = isNews ? await examine(jar, seen) : undefined;
    const upload = await jar.store.transact(async (tx) => {
      const found = await findUpload(call, id, tx);
      if (findings && found.state === 'created' && !isDeepStrictEqual(found, seen)) throw changed();
      const ended = await commitUpload(tx, found, status, findings, new Date(jar.clock.now()).toISOString());
      await tx.change({
        source: 'lifecycle',
        kind: 'write',
        subject: `lifecycle/apps/${found.appId}/symbol_uploads/${found.id}`,
        outcome: ended.state === 'failed' ? 'Failed' : 'Succeeded',
        at: call.receivedAt,
        data: { status: ended.state, symbolType: ended.type },
      });
      return ended;
    });
    return ok(await uploadView(jar, upload));
  },
});

const changed = () => errors.Conflict({ reason: 'The upload changed at the same time; commit it again.' });

const FILTERS: Readonly<Record<string, readonly UploadState[]>> = {
  all: ['created', 'committed', 'aborted', 'processing', 'indexed', 'failed'],
  uploaded: ['committed', 'processing', 'indexed', 'failed'],
  processed: ['indexed', 'failed'],
};

const DEFAULT_TOP = 30;
const MOST_AT_ONCE = 100;

export const listUploads = routeCode([], {
  query: Type.Object({
    top: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_AT_ONCE })),
    status: Type.Optional(Type.Enum(['all', 'uploaded', 'processed'])),
    symbol_type: Type.Optional(Type.Enum([...SYMBOL_TYPES])),
  }),
  responses: { 200: Type.Array(UploadView) },
  async handle(call) {
    const { top = DEFAULT_TOP, status = 'all', symbol_type } = call.query;
    const filter = allOf(eq('appId', appOf(call).id), eqIfGiven('type', symbol_type), {
      op: 'in',
      field: 'state',
      values: FILTERS[status] as readonly string[],
    });
    const order = [{ field: 'createdAt', descending: true }];
    const { items } = await call.jar.store.query(symbolUploads, { filter, order, limit: top });
    return ok(await Promise.all(items.map(({ value }) => uploadView(call.jar, value))));
  },
});

export const getUploadLocation = routeCode(['symbol_upload_id'], {
  responses: { 200: Location },
  async handle(call) {
    const upload = await findUpload(call, call.params.symbol_upload_id);
    return ok({ uri: fileAddress(call, 'symbols', uploadKey(upload)) });
  },
});

export const deleteUpload = routeCode(['symbol_upload_id'], {
  responses: { 200: UploadView },
  async handle(call) {
    const upload = await call.jar.store.transact(async (tx) => {
      const found = await findUpload(call, call.params.symbol_upload_id, tx);
      await dropUpload(tx, found);
      await cancelExpiry(tx, found);
      await tx.change({
        source: 'lifecycle',
        kind: 'delete',
        subject: `lifecycle/apps/${found.appId}/symbol_uploads/${found.id}`,
        outcome: 'Succeeded',
        at: call.receivedAt,
        data: {},
      });
      return found;
    });
    return ok(await uploadView(call.jar, upload));
  },
});
