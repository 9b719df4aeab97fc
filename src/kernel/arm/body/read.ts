import type { DraftOf, Field, ValueOf } from './field.ts';
import { Mistakes } from './mistakes.ts';
import { Place, type Reading, type VersionRules } from './place.ts';
import { gatewayWording, type Wording } from './wording.ts';

export interface ReadOptions<Context> {
  /** What the service's own rules need in addition to the body. */
  readonly context: Context;
  /** Path of the body if it is only a part of the request, for example `properties`. */
  readonly at?: string;
  /** Creates the errors; `gatewayWording` by default. */
  readonly wording?: Wording;
  readonly blankIsMissing?: boolean;
  /** Aliases of the canonical provider prefix. */
  readonly aliases?: readonly string[];
  /** Differences of the request's api-version from the declaration. */
  readonly rules?: VersionRules | undefined;
  /** List entries beyond this number are kept unparsed, for a service that rejects longer lists itself. */
  readonly unreadBeyond?: number;
  /** Continues a collection that already contains mistakes. */
  readonly mistakes?: Mistakes;
}

/** Result of parsing a body. */
export class BodyReading<Value extends Draft, Draft> {
  /** The parsed part of the body; see `Field`. */
  readonly draft: Draft;
  readonly mistakes: Mistakes;

  constructor(draft: Draft, mistakes: Mistakes) {
    this.draft = draft;
    this.mistakes = mistakes;
  }

  /** The valid body. Throws if there are mistakes, so check for them first. */
  get value(): Value {
    if (this.mistakes.count > 0) throw new Error('A body with mistakes has no value.');
    // No field reported a mistake, so the draft is a valid value.
    return this.draft as Value;
  }
}

/** Parses a body by its declaration. Never throws because of the content; all problems are in `mistakes`. */
export function readBody<Value extends Draft, Draft, Context>(
  field: Field<Value, Draft, Context>,
  given: unknown,
  options: ReadOptions<Context>,
): BodyReading<Value, Draft> {
  const { context, at = '', wording = gatewayWording, blankIsMissing = false, aliases = [], rules } = options;
  const { mistakes = new Mistakes(), unreadBeyond = Number.POSITIVE_INFINITY } = options;
  const reading: Reading<Context> = { context, mistakes, wording, blankIsMissing, aliases, rules, unreadBeyond };
  const draft = field.read(given, Place.root(reading, at, given));
  // Any member of a draft may be missing, so an empty object is a valid draft.
  return new BodyReading(draft ?? ({} as Draft), mistakes);
}

export type { DraftOf, ValueOf };
