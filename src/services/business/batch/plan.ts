/** One request of a batch, independent of the batch's form. */
export interface BatchItem {
  /** Id used by the reply and by later requests. */
  readonly id: string | undefined;
  readonly method: string;
  /** As sent: relative to the API, absolute, or beginning with a reference to an earlier request. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when the request is performed: a mistake in it fails only this request. */
  readonly body: ItemBody;
  /** Ids of earlier requests and change sets that must have succeeded. */
  readonly dependsOn: readonly string[];
}

export type ItemBody =
  | { readonly kind: 'none' }
  /** A member of a JSON batch. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** A part of a multipart batch. */
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

/** A single request, or a change set, whose requests succeed or fail together. */
export type BatchStep =
  | { readonly kind: 'single'; readonly item: BatchItem }
  | { readonly kind: 'changeSet'; readonly id: string | undefined; readonly items: readonly BatchItem[] };

export const itemsOf = (step: BatchStep): readonly BatchItem[] => (step.kind === 'single' ? [step.item] : step.items);

export const countItems = (steps: readonly BatchStep[]): number =>
  steps.reduce((count, step) => count + itemsOf(step).length, 0);
