import type { Address, Inference } from '../messages/types.ts';

/** A category in the master list of a mailbox: the name that items contain, and its color in clients. */
export interface Category {
  /** A GUID. */
  readonly id: string;
  readonly mailbox: string;
  readonly displayName: string;
  readonly color: string;
}

/** `none`, `preset0` to `preset24`. */
export const CATEGORY_COLORS: readonly string[] = ['none', ...Array.from({ length: 25 }, (_, at) => `preset${at}`)];

/** The classification of one sender's mail; takes precedence over everything else. */
export interface InferenceOverride {
  /** A GUID. */
  readonly id: string;
  readonly mailbox: string;
  readonly classifyAs: Inference;
  readonly sender: Address;
}
