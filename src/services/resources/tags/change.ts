import type { Tags } from './tagged.ts';

export const TAG_OPERATIONS = ['Merge', 'Replace', 'Delete'] as const;
export type TagOperation = (typeof TAG_OPERATIONS)[number];

/** Applies a PATCH to tags. Names compare case-insensitively and keep the spelling of the last write. */
export function changedTags(operation: TagOperation, before: Tags, sent: Tags): Tags {
  switch (operation) {
    case 'Replace':
      return sent;
    case 'Merge': {
      const replaced = new Set(Object.keys(sent).map(lower));
      return { ...kept(before, (name) => !replaced.has(lower(name))), ...sent };
    }
    case 'Delete': {
      const named = new Map(Object.entries(sent).map(([name, value]) => [lower(name), value]));
      // A sent tag removes the stored one only if the values are equal.
      return kept(before, (name, value) => named.get(lower(name)) !== value);
    }
  }
}

const lower = (name: string): string => name.toLowerCase();

const kept = (tags: Tags, keeps: (name: string, value: string) => boolean): Tags =>
  Object.fromEntries(Object.entries(tags).filter(([name, value]) => keeps(name, value)));
