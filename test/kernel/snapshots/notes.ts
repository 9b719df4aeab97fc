import { Type } from 'typebox';
import type { ApiFamily } from '../../../src/kernel/http/family.ts';
import { created, ok } from '../../../src/kernel/http/route.ts';
import { route } from '../../../src/kernel/service/routes.ts';
import { collection, number, set, text } from '../../../src/kernel/store/collection.ts';
import { wholeService } from '../../support/whole-service.ts';

/** Notes that delete themselves after a while: a small service with state, due work and change records. */
export interface Note {
  readonly text: string;
  readonly words: readonly string[];
  readonly sealed?: string;
}

export const notes = collection<Note>('notes.notes', {
  fields: {
    text: text((note) => note.text),
    length: number((note) => note.text.length),
    words: set((note) => note.words),
  },
  indexes: [['text'], ['length']],
  cached: true,
});

const FAMILY: ApiFamily = {
  name: 'notes',
  steps: [],
  renderError: (error) => ({ status: error.status, body: { code: error.code, message: error.message } }),
  commonHeaders: () => ({}),
  bodyLimitBytes: 1_000_000,
  cors: false,
  codes: {
    malformedJson: 'MalformedJson',
    invalidBody: 'InvalidBody',
    invalidQuery: 'InvalidQuery',
    bodyTooLarge: 'BodyTooLarge',
    unsupportedMediaType: 'UnsupportedMediaType',
    notFound: 'NotFound',
    methodNotAllowed: 'MethodNotAllowed',
    preconditionFailed: 'PreconditionFailed',
    internal: 'InternalError',
    unavailable: 'Unavailable',
  },
};

export const NOTES = wholeService({
  name: 'notes',
  title: 'Notes',
  family: FAMILY,
  mounts: ['/notes'],
  collections: [notes],
  routes: [
    route({
      method: 'PUT',
      path: '/notes/{name}',
      operation: 'Notes_Put',
      summary: 'Writes a note, which removes itself when it was told to',
      body: Type.Object({
        text: Type.String(),
        removeIn: Type.Optional(Type.Number()),
        secret: Type.Optional(Type.String()),
      }),
      async handle({ jar, params: { name }, body: { text: written, removeIn, secret } }) {
        const now = jar.clock.now();
        const sealed = secret === undefined ? {} : { sealed: jar.vault.seal(secret) };
        await jar.store.transact(async (tx) => {
          await tx.put(notes, name, { text: written, words: written.split(' '), ...sealed });
          await tx.change({ source: 'notes', kind: 'write', subject: name, outcome: 'Succeeded', at: now, data: null });
          if (removeIn === undefined) return;
          await tx.schedule({ id: `remove/${name}`, kind: 'notes.remove', dueAt: now + removeIn, payload: { name } });
        });
        return created({ name });
      },
    }),
    route({
      method: 'GET',
      path: '/notes/{name}/secret',
      operation: 'Notes_Secret',
      summary: 'What the vault says a note keeps sealed',
      async handle({ jar, params }) {
        const note = await jar.store.cached(notes, params.name);
        return ok({ secret: note?.value.sealed === undefined ? null : jar.vault.open(note.value.sealed) });
      },
    }),
    route({
      method: 'GET',
      path: '/notes',
      operation: 'Notes_List',
      summary: 'All notes, by length, with their etags',
      async handle({ jar }) {
        const page = await jar.store.query(notes, { order: [{ field: 'length' }], limit: 1000 });
        return ok(page.items.map(({ key, etag, value }) => ({ name: key, etag, text: value.text })));
      },
    }),
    route({
      method: 'GET',
      path: '/notes/{name}',
      operation: 'Notes_Get',
      summary: 'One note as memory has it; null when there is none',
      handle: async ({ jar, params }) => ok({ text: (await jar.store.cached(notes, params.name))?.value.text ?? null }),
    }),
  ],
  work: {
    'notes.remove': {
      async run(item, { store, clock }) {
        const { name } = item.payload as { name: string };
        const at = clock.now();
        await store.transact(async (tx) => {
          await tx.delete(notes, name);
          await tx.change({ source: 'notes', kind: 'removed', subject: name, outcome: 'Succeeded', at, data: null });
          await tx.complete(item);
        });
      },
    },
  },
});
