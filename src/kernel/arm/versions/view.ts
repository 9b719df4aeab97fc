import { isObject } from '../../values/objects.ts';
import { FieldRules } from './rules.ts';
import { accepted, type Branch, type Spellings, shown, treeOf, withUnread } from './tree.ts';

/** What a version has of one resource type, worked out of the table. */
export interface VersionContent {
  /** Fields that requests leave unread. */
  readonly unread: ReadonlySet<string>;
  /** Fields that answers leave out: those that are not read, less those that the live service shows all the same. */
  readonly hidden: ReadonlySet<string>;
  readonly lackingWords: ReadonlyMap<string, ReadonlySet<string>>;
  readonly required: ReadonlySet<string>;
  readonly spellings: Spellings;
}

const lowerCase = (name: string): string => name.toLowerCase();

/** A resource type as one api-version has it: what its answers show and how its requests are read. Compiled once per version. */
export class VersionView {
  readonly version: string;
  /** For the reader of bodies; absent where the version has the rules of the newest. */
  readonly rules: FieldRules | undefined;
  readonly #content: VersionContent | undefined;
  readonly #output: Branch | undefined;
  readonly #input: Branch | undefined;

  /** Without content: the version shows and reads everything. */
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

  /** Whether answers differ from what is stored at all. */
  get isPartial(): boolean {
    return this.#output !== undefined;
  }

  /** Whether answers show a field that the table names, such as `properties.state`. */
  shows(field: string): boolean {
    return !this.#content?.hidden.has(field);
  }

  /** Whether the version has a word of an enumeration that the table names. */
  knowsWord(field: string, word: string): boolean {
    return !this.#content?.lackingWords.get(field)?.has(word);
  }

  /** The body of an answer, without the fields that the version does not have. */
  show(body: unknown, of: 'one' | 'list'): unknown {
    const output = this.#output;
    if (!output) return body;
    if (of === 'one') return shown(output, body);
    return isObject(body) ? { ...body, value: shown(output, body.value) } : body;
  }

  /** The body of a request without the fields that the version does not have: they are ignored, as unknown ones are. */
  accept(body: unknown, isFlat = false): unknown {
    const input = this.#input;
    if (!input) return body;
    const read = accepted(input, body);
    // Some clients send the members of `properties` beside it.
    const properties = isFlat ? input.below.get('properties') : undefined;
    return properties ? accepted(properties, read) : read;
  }

  /** A member of `properties` that a PATCH has sent, with the fields in it that the version does not have as they are known. */
  keepUnread(member: string, sent: unknown, known: unknown): unknown {
    const below = this.#input?.below.get('properties')?.below.get(member.toLowerCase());
    return below ? withUnread(below, sent, known) : sent;
  }
}
