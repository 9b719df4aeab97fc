import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { created, noContent, ok, type Route } from '../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../kernel/odata/index.ts';
import { route } from '../kernel/service/index.ts';
import {
  leftOutLine,
  type Restored,
  type Snapshot,
  savedSnapshots,
  snapshotErrors,
} from '../kernel/snapshots/index.ts';
import { compareRoute } from './compare.ts';
import type { Controls } from './controls.ts';

const Count = Type.Integer({ minimum: 0 });

const View = Type.Object({
  name: Type.String(),
  /** By the jar's clock. */
  takenAt: Type.String(),
  engine: Type.String(),
  version: Type.String(),
  imported: Type.Boolean(),
  sizes: Type.Object({ content: Count, stored: Count }),
  counts: Type.Object({
    documents: Count,
    /** Rows of typed tables; missing if there are no such tables. */
    rows: Type.Optional(Count),
    work: Count,
    changes: Count,
    collections: Type.Record(Type.String(), Count),
  }),
});
const Warnings = Type.Array(Type.String());
/** Secrets that a portable file does not contain, by kind. */
const LeftOutView = Type.Object({
  what: Type.String(),
  count: Count,
  /** Names of the first ten. */
  names: Type.Array(Type.String()),
  afterwards: Type.String(),
});
const ImportView = Type.Object({ ...View.properties, warnings: Warnings, leftOut: Type.Array(LeftOutView) });
const RestoreView = Type.Object({
  status: Type.Literal('restored'),
  name: Type.String(),
  now: Type.String(),
  clockMoved: Type.Boolean(),
  warnings: Warnings,
});

const Size = { type: 'Edm.Int64' } as const;

const shape = entityShape({
  name: 'snapshots',
  collection: savedSnapshots,
  properties: {
    name: { type: 'Edm.String', field: 'key' },
    takenAt: { type: 'Edm.DateTimeOffset' },
    engine: { type: 'Edm.String' },
    version: { type: 'Edm.String' },
    imported: { type: 'Edm.Boolean' },
    sizes: {
      type: {
        properties: {
          content: { ...Size, read: ({ bytes }: Snapshot) => bytes },
          stored: { ...Size, read: ({ storedBytes }: Snapshot) => storedBytes },
        },
      },
      read: (snapshot: Snapshot) => snapshot,
    },
    counts: { type: { properties: { documents: Size, rows: Size, work: Size, changes: Size } } },
  },
  scan: 'bounded',
});

/** Saves and restores all state under a name; see `kernel/snapshots`. */
export function snapshotRoutes({ snapshots }: Pick<Controls, 'snapshots'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/_jar/snapshots',
      operation: 'Jar_ListSnapshots',
      summary: 'The snapshots by name',
      query: listQuery(shape),
      responses: { 200: listOf(View) },
      handle: (call) => listAnswer(call, { shape, view: ({ value }) => view(value) }),
    }),
    compareRoute({ snapshots }),
    route({
      method: 'GET',
      path: '/_jar/snapshots/{name}',
      operation: 'Jar_GetSnapshot',
      summary: 'The contents of a snapshot, and when it was taken',
      responses: { 200: View },
      handle: async ({ params }) => ok(view(await snapshots.get(params.name))),
    }),
    route({
      method: 'PUT',
      path: '/_jar/snapshots/{name}',
      operation: 'Jar_SaveSnapshot',
      summary: 'Saves all state and the time under a name; the jar keeps running',
      responses: { 200: View, 201: View },
      async handle({ params }) {
        const saved = await snapshots.save(params.name);
        return (saved.created ? created : ok)(view(saved.snapshot));
      },
    }),
    route({
      method: 'DELETE',
      path: '/_jar/snapshots/{name}',
      operation: 'Jar_DeleteSnapshot',
      summary: 'Removes a snapshot',
      responses: { 204: 'Removed' },
      async handle({ params }) {
        await snapshots.delete(params.name);
        return noContent();
      },
    }),
    route({
      method: 'POST',
      path: '/_jar/snapshots/{name}/restore',
      operation: 'Jar_RestoreSnapshot',
      summary: 'Restores all state and the time from a snapshot',
      responses: { 200: RestoreView },
      handle: async ({ params }) => ok(restoreView(await snapshots.restore(params.name))),
    }),
    route({
      method: 'GET',
      path: '/_jar/snapshots/{name}/content',
      operation: 'Jar_ExportSnapshot',
      secretBodies: true,
      summary:
        'Exports a snapshot as a file, for jars with the same secret key or, with a passphrase or without secrets, for any jar',
      query: Type.Object({ portable: Type.Optional(Type.Boolean()) }),
      produces: 'application/gzip',
      responses: { 200: 'gzip of JSON lines' },
      async handle({ params, query: { portable }, headers }) {
        const form = { portable, passphrase: passphraseIn(headers) };
        const { snapshot, file } = await snapshots.content(params.name, form);
        return ok(file, {
          'content-type': 'application/gzip',
          'content-disposition': `attachment; filename="${snapshot.name}.cloudjar.gz"`,
        });
      },
    }),
    route({
      method: 'PUT',
      path: '/_jar/snapshots/{name}/content',
      operation: 'Jar_ImportSnapshot',
      secretBodies: true,
      summary: 'Imports a file of this jar or another one as a snapshot',
      accepts: 'stream',
      responses: { 200: ImportView, 201: ImportView },
      async handle({ params, body, headers, jar }) {
        if (!(body instanceof Readable)) throw snapshotErrors.SnapshotFileMissing();
        const imported = await snapshots.accept(params.name, body, { passphrase: passphraseIn(headers) });
        const { leftOut } = imported;
        for (const each of leftOut) jar.log.warn(`the snapshot '${params.name}' has no secrets. ${leftOutLine(each)}`);
        const warnings = imported.unknownCollections.map(unknownCollection);
        return (imported.created ? created : ok)({ ...view(imported.snapshot), warnings, leftOut });
      },
    }),
  ];
}

/** A header, because paths are logged. Percent-encoded, because headers allow only ASCII. */
const PASSPHRASE_HEADER = 'cloudjar-passphrase';

function passphraseIn(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const sent = headers[PASSPHRASE_HEADER];
  if (sent === undefined) return undefined;
  try {
    return decodeURIComponent(String(sent));
  } catch {
    throw snapshotErrors.BadPassphrase({ reason: 'the header Cloudjar-Passphrase is not percent-encoded UTF-8' });
  }
}

function view({ name, takenAt, engine, version, imported, bytes, storedBytes, counts }: Snapshot) {
  const sizes = { content: bytes, stored: storedBytes };
  return { name, takenAt: iso(takenAt), engine, version, imported, sizes, counts };
}

function restoreView({ snapshot, now, clockMoved, skipped }: Restored) {
  const warnings = Object.keys(skipped).map(unknownCollection);
  if (!clockMoved) {
    warnings.push(
      `The jar uses the system clock, which was not changed; the snapshot was taken at ${iso(snapshot.takenAt)}, and work that fell due since then is due now.`,
    );
  }
  return { status: 'restored' as const, name: snapshot.name, now: iso(now), clockMoved, warnings };
}

const unknownCollection = (collection: string): string =>
  `This release has no collection '${collection}'; a restore ignores its documents.`;

const iso = (at: number): string => new Date(at).toISOString();
