/** What a batch asks for, whichever form it came in. */
export interface BatchItem {
  /** By which the reply and later requests name it. */
  readonly id: string | undefined;
  readonly method: string;
  /** As sent: relative to the API, absolute, or beginning with a reference to an earlier request. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Read when it is its turn: what is wrong with it is wrong with this request alone. */
  readonly body: ItemBody;
  /** Requests and change sets before it without which it is not to be tried. */
  readonly dependsOn: readonly string[];
}

export type ItemBody =
  | { readonly kind: 'none' }
  /** A member of a JSON batch. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** A part of a multipart batch. */
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

/** Requests in order; those of a change set happen together or not at all. */
export type BatchStep =
  | { readonly kind: 'single'; readonly item: BatchItem }
  | { readonly kind: 'changeSet'; readonly id: string | undefined; readonly items: readonly BatchItem[] };

export const itemsOf = (step: BatchStep): readonly BatchItem[] => (step.kind === 'single' ? [step.item] : step.items);

export const countItems = (steps: readonly BatchStep[]): number =>
  steps.reduce((count, step) => count + itemsOf(step).length, 0);
