import type { Address, Inference } from '../messages/types.ts';

/** A category of the master list of a mailbox: a name that items carry, and the color that clients show it in. */
export interface Category {
  /** A GUID. */
  readonly id: string;
  readonly mailbox: string;
  readonly displayName: string;
  readonly color: string;
}

/** `none`, `preset0` to `preset24`. */
export const CATEGORY_COLORS: readonly string[] = ['none', ...Array.from({ length: 25 }, (_, at) => `preset${at}`)];

/** How mail of one sender is classified, whatever else speaks for. */
export interface InferenceOverride {
  /** A GUID. */
  readonly id: string;
  readonly mailbox: string;
  readonly classifyAs: Inference;
  readonly sender: Address;
}
