import type { Literal, Node, Path } from '../odata/ast.ts';
import { errorAt, type ODataErrorCode } from '../odata/errors.ts';
import type { PropertyShape } from '../odata/shape.ts';
import { type Resource, type ResourceGroup, tagEntry } from './collections.ts';
import { canonicalNamespace } from './ids.ts';

/**
 * Filters of the gateway's own lists. In addition to the properties of a resource they have `tagName` and `tagValue`, which belong
 * together: `tagName eq 'a' and tagValue eq 'b'` matches one tag with both. They are rewritten to expressions on the collection `tags`.
 */
const TAG_PARTS: ReadonlyMap<string, 'name' | 'value'> = new Map([
  ['tagname', 'name'],
  ['tagvalue', 'value'],
]);

/** Lambda variable for a tag; not a name that a client can write. */
const TAG = '#tag';

/** A resource's tags as a collection of names and values, found through the index entries of the store. */
export const TAGS: PropertyShape = {
  type: { properties: { name: { type: 'Edm.String', ignoreCase: true }, value: { type: 'Edm.String' } } },
  collection: true,
  field: 'tags',
  read: ({ tags }: Resource | ResourceGroup) => Object.entries(tags).map(([name, value]) => ({ name, value })),
  entry: ({ name, value, ...others }) =>
    name === undefined || Object.keys(others).length > 0 ? undefined : tagEntry(name, value),
};

/** Rewrites `tagName` and `tagValue` to expressions on the collection, and provider prefixes to the canonical one. */
export function gatewayFilter(node: Node, source: string, aliases: readonly string[]): Node {
  return new Rewriter(source, aliases).rewrite(node);
}

const ABOUT_TAGS = /tag(name|value)/i;

class Rewriter {
  readonly #source: string;
  readonly #aliases: readonly string[];
  readonly #usesTags: (node: Node) => boolean;

  constructor(source: string, aliases: readonly string[]) {
    this.#source = source;
    this.#aliases = aliases;
    this.#usesTags = ABOUT_TAGS.test(source) ? usesTags : () => false;
  }

  rewrite(node: Node): Node {
    if (node.kind === 'unary' && node.operator === 'not') return { ...node, operand: this.rewrite(node.operand) };
    if (node.kind !== 'junction') return this.#usesTags(node) ? this.#oneTag([node], node.at) : this.#canonical(node);
    if (node.operator === 'or') return { ...node, args: node.args.map((arg) => this.rewrite(arg)) };
    const aboutTags = node.args.filter((arg) => this.#usesTags(arg) && !excludesTag(arg));
    const rest = node.args.filter((arg) => !aboutTags.includes(arg)).map((arg) => this.rewrite(arg));
    if (aboutTags.length === 0) return { ...node, args: rest };
    const tag = this.#oneTag(aboutTags, aboutTags[0]!.at);
    return rest.length === 0 ? tag : { ...node, args: [...rest, tag] };
  }

  /** All tag conditions of one `and` apply to the same tag. */
  #oneTag(parts: readonly Node[], at: number): Node {
    if (!parts.some(namesTag)) throw this.#error('NotSupported', at, "'tagValue' needs 'tagName' beside it");
    const names = parts.filter((part) => isEquality(part) && namesTag(part));
    if (names.length > 1)
      throw this.#error('NotSupported', names[1]!.at, "'tagName' is given twice; only one tag can be matched");
    const args = parts.map((part) => this.#aboutTag(part));
    const body: Node = args.length === 1 ? args[0]! : { kind: 'junction', operator: 'and', args, at };
    const collection: Path = { kind: 'path', segments: ['tags'], at };
    return { kind: 'lambda', operator: 'any', collection, variable: TAG, body, at };
  }

  #aboutTag(node: Node): Node {
    switch (node.kind) {
      case 'path': {
        const part = partOf(node);
        if (part === undefined)
          throw this.#error('NotSupported', node.at, "'tagName' and 'tagValue' cannot be mixed with other names here");
        return { ...node, segments: [TAG, part] };
      }
      case 'junction':
      case 'call':
        return { ...node, args: node.args.map((arg) => this.#aboutTag(arg)) };
      case 'unary':
      case 'in':
        return { ...node, operand: this.#aboutTag(node.operand) };
      case 'binary':
        if (node.operator !== 'eq')
          throw this.#error('NotSupported', node.at, "tags can be compared only with 'eq' and functions");
        return { ...node, left: this.#aboutTag(node.left), right: this.#aboutTag(node.right) };
      default:
        return node;
    }
  }

  /** `resourceType eq 'Microsoft.X/y'` matches `Vendor.X` if that prefix is an alias. */
  #canonical(node: Node): Node {
    const asked = (path: Node) => path.kind === 'path' && path.segments[0]?.toLowerCase() === 'resourcetype';
    if (node.kind === 'in' && asked(node.operand))
      return { ...node, values: node.values.map((value) => this.#canonicalType(value)) };
    if (node.kind !== 'binary') return node;
    if (asked(node.left) && node.right.kind === 'literal') return { ...node, right: this.#canonicalType(node.right) };
    if (asked(node.right) && node.left.kind === 'literal') return { ...node, left: this.#canonicalType(node.left) };
    return node;
  }

  #canonicalType(literal: Literal): Literal {
    return literal.type === 'string'
      ? { ...literal, value: canonicalNamespace(literal.value, this.#aliases) }
      : literal;
  }

  #error(code: ODataErrorCode, at: number, problem: string) {
    return errorAt(code, '$filter', this.#source, at, problem);
  }
}

const partOf = ({ segments }: Path): 'name' | 'value' | undefined =>
  segments.length === 1 ? TAG_PARTS.get(segments[0]!.toLowerCase()) : undefined;

const usesTags = (node: Node): boolean => hasPath(node, (path) => partOf(path) !== undefined);
const namesTag = (node: Node): boolean => hasPath(node, (path) => partOf(path) === 'name');

/** `not (tagName eq 'a')` says that no such tag exists; it does not constrain the tag of the other conditions. */
const excludesTag = (node: Node): boolean => node.kind === 'unary' && namesTag(node);

const isEquality = (node: Node): boolean => node.kind === 'binary' && node.operator === 'eq';

function hasPath(node: Node, wanted: (path: Path) => boolean): boolean {
  switch (node.kind) {
    case 'path':
      return wanted(node);
    case 'junction':
    case 'call':
      return node.args.some((arg) => hasPath(arg, wanted));
    case 'unary':
    case 'in':
      return hasPath(node.operand, wanted);
    case 'binary':
      return hasPath(node.left, wanted) || hasPath(node.right, wanted);
    default:
      return false;
  }
}
