import { isObject } from '../../values/objects.ts';
import { FieldRules } from './rules.ts';
import { accepted, type Branch, type Spellings, shown, treeOf, withUnread } from './tree.ts';

/** What a version has of one resource type, computed from the table. */
export interface VersionContent {
  /** Fields that are ignored in requests. */
  readonly unread: ReadonlySet<string>;
  /** Fields that are omitted from responses: the ignored ones, except those that the live service shows anyway. */
  readonly hidden: ReadonlySet<string>;
  readonly lackingWords: ReadonlyMap<string, ReadonlySet<string>>;
  readonly required: ReadonlySet<string>;
  readonly spellings: Spellings;
}

const lowerCase = (name: string): string => name.toLowerCase();

/** One api-version's view of a resource type: what responses show and how requests are read. Compiled once per version. */
export class VersionView {
  readonly version: string;
  /** For the body parser; undefined if the version has the rules of the newest one. */
  readonly rules: FieldRules | undefined;
  readonly #content: VersionContent | undefined;
  readonly #output: Branch | undefined;
  readonly #input: Branch | undefined;

  /** Without content, the version shows and reads everything. */
  constructor(version: string, content?: VersionContent) {
    this.version = version;
    this.#content = content;
    if (!content) return;
    const { unread, hidden, lackingWords, required, spellings } = content;
    this.#output = treeOf(hidden, spellings);
    this.#input = treeOf(unread, {}, lowerCase);
    const rules = new FieldRules(lackingWords, required, spellings);
    this.rules = rules.isEmpty ? undefined : rules;
  }

  /** Whether responses can differ from what is stored. */
  get isPartial(): boolean {
    return this.#output !== undefined;
  }

  /** Whether responses show a field that the table names, for example `properties.state`. */
  shows(field: string): boolean {
    return !this.#content?.hidden.has(field);
  }

  /** Whether the version has a word of an enumeration that the table names. */
  knowsWord(field: string, word: string): boolean {
    return !this.#content?.lackingWords.get(field)?.has(word);
  }

  /** Removes the fields that the version does not have from the body of a response. */
  show(body: unknown, of: 'one' | 'list'): unknown {
    const output = this.#output;
    if (!output) return body;
    if (of === 'one') return shown(output, body);
    return isObject(body) ? { ...body, value: shown(output, body.value) } : body;
  }

  /** Removes the fields that the version does not have from the body of a request: they are ignored like unknown fields. */
  accept(body: unknown, isFlat = false): unknown {
    const input = this.#input;
    if (!input) return body;
    const read = accepted(input, body);
    // Some clients send the members of `properties` beside it.
    const properties = isFlat ? input.below.get('properties') : undefined;
    return properties ? accepted(properties, read) : read;
  }

  /** A member of `properties` from a PATCH, with the stored values of fields that the version does not have. */
  keepUnread(member: string, sent: unknown, known: unknown): unknown {
    const below = this.#input?.below.get('properties')?.below.get(member.toLowerCase());
    return below ? withUnread(below, sent, known) : sent;
  }
}
