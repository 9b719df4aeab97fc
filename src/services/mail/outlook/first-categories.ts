import { uuid } from '../../../kernel/ids/index.ts';
import type { Category } from './types.ts';

/** Default categories of a new mailbox. */
const FIRST: readonly (readonly [name: string, color: string])[] = [
  ['Red category', 'preset0'],
  ['Orange category', 'preset1'],
  ['Yellow category', 'preset3'],
  ['Green category', 'preset4'],
  ['Blue category', 'preset7'],
  ['Purple category', 'preset8'],
];

export const firstCategories = (mailbox: string): readonly Category[] =>
  FIRST.map(([displayName, color]) => ({ id: uuid(), mailbox, displayName, color }));
