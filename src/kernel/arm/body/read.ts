import type { DraftOf, Field, ValueOf } from './field.ts';
import { Mistakes } from './mistakes.ts';
import { Place, type Reading, type VersionRules } from './place.ts';
import { gatewayWording, type Wording } from './wording.ts';

export interface ReadOptions<Context> {
  /** What own rules need to know beside the body. */
  readonly context: Context;
  /** The path of the body, where it is only a part of what was sent: `properties`. */
  readonly at?: string;
  /** How to say what is wrong; in the words of the gateway unless given. */
  readonly wording?: Wording;
  readonly blankIsMissing?: boolean;
  /** Provider prefixes that mean the same as the canonical one. */
  readonly aliases?: readonly string[];
  /** In what the api-version of the request differs from the declaration. */
  readonly rules?: VersionRules | undefined;
  /** Entries of a list beyond this number are kept unread: for a service that refuses longer lists by a rule of its own. */
  readonly unreadBeyond?: number;
  /** To go on with mistakes that were found elsewhere. */
  readonly mistakes?: Mistakes;
}

/** What was read of a body. */
export class BodyReading<Value extends Draft, Draft> {
  /** What could be read; see `Field`. */
  readonly draft: Draft;
  readonly mistakes: Mistakes;

  constructor(draft: Draft, mistakes: Mistakes) {
    this.draft = draft;
    this.mistakes = mistakes;
  }

  /** The body without mistakes: refuse a body with mistakes before asking for it. */
  get value(): Value {
    if (this.mistakes.count > 0) throw new Error('A body with mistakes has no value.');
    // Every field has read its part without a mistake, which is what makes a draft a value.
    return this.draft as Value;
  }
}

/** Reads a body from its declaration. Never throws for what the body holds: all that is wrong is among the mistakes. */
export function readBody<Value extends Draft, Draft, Context>(
  field: Field<Value, Draft, Context>,
  given: unknown,
  options: ReadOptions<Context>,
): BodyReading<Value, Draft> {
  const { context, at = '', wording = gatewayWording, blankIsMissing = false, aliases = [], rules } = options;
  const { mistakes = new Mistakes(), unreadBeyond = Number.POSITIVE_INFINITY } = options;
  const reading: Reading<Context> = { context, mistakes, wording, blankIsMissing, aliases, rules, unreadBeyond };
  const draft = field.read(given, Place.root(reading, at, given));
  // Any member of the draft of an object may be missing, and so may all of them.
  return new BodyReading(draft ?? ({} as Draft), mistakes);
}

export type { DraftOf, ValueOf };
