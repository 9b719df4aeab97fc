import { boolean, collection, number, set, text } from '../../../../src/kernel/store/collection.ts';
import type { Filter } from '../../../../src/kernel/store/types.ts';

/** Documents with full text. */
export interface Letter {
  readonly box?: string | null;
  readonly at?: number | null;
  readonly read?: boolean;
  readonly tags?: readonly string[];
  readonly subject?: string;
  readonly to?: readonly string[];
  readonly body?: string;
}

export const letters = collection<Letter>('test.letters', {
  fields: {
    box: text((letter) => letter.box),
    at: number((letter) => letter.at),
    read: boolean((letter) => letter.read),
    tags: set((letter) => letter.tags ?? []),
  },
  indexes: [
    ['box', 'at'],
    ['box', 'read', 'at'],
  ],
  search: {
    parts: ['subject', 'to', 'body'],
    within: 'box',
    of: ({ subject, to, body }) => ({ subject, to, body }),
  },
});

/** Without a scope. */
export const notes = collection<{ readonly text: string }>('test.notes', {
  search: { parts: ['text'], of: (note) => ({ text: note.text }) },
});

export const ALL_PARTS = ['subject', 'to', 'body'];

export const inBox = (box: string, phrase: string, { parts = ALL_PARTS, prefix = false } = {}): Filter => ({
  op: 'matches',
  within: box,
  parts,
  phrase,
  prefix,
});
