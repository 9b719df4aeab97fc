/** Syntax tree of the simulated shell. */

export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** Default value: with `:-` also for an empty variable, with `-` only for an unset one. */
      readonly otherwise: { readonly text: string; readonly alsoForEmpty: boolean } | undefined;
      readonly quoted: boolean;
    }
  | { readonly kind: 'substitution'; readonly script: Node; readonly quoted: boolean }
  | { readonly kind: 'arithmetic'; readonly text: string; readonly quoted: boolean };

export type Word = readonly WordPart[];

export interface Redirect {
  readonly from: 'stdout' | 'stderr' | 'both';
  readonly to:
    | { readonly kind: 'stream'; readonly stream: 'stdout' | 'stderr' }
    | { readonly kind: 'file'; readonly name: Word; readonly append: boolean };
}

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

export type Node =
  | {
      readonly kind: 'command';
      readonly assignments: readonly Assignment[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'chain'; readonly first: Node; readonly rest: readonly { op: '&&' | '||'; node: Node }[] }
  | { readonly kind: 'not'; readonly body: Node }
  | { readonly kind: 'loop'; readonly until: boolean; readonly condition: Node; readonly body: Node }
  | { readonly kind: 'for'; readonly name: string; readonly words: readonly Word[]; readonly body: Node }
  | { readonly kind: 'if'; readonly condition: Node; readonly then: Node; readonly otherwise: Node | undefined }
  | { readonly kind: 'subshell'; readonly body: Node }
  | { readonly kind: 'redirected'; readonly body: Node; readonly redirects: readonly Redirect[] };

/** Invalid shell syntax, or valid syntax that is not supported. */
export class SyntaxProblem extends Error {
  override readonly name: string = 'SyntaxProblem';
}

/** A syntax error in every shell, with the message of a shell. */
export class NoShellProblem extends SyntaxProblem {
  override readonly name = 'NoShellProblem';
}

/** An error that ends a shell when it occurs, such as a division by zero. */
export class RunProblem extends Error {
  override readonly name = 'RunProblem';
}

/** A word without expansions. */
export const literal = (text: string): Word => [{ kind: 'text', text, quoted: true }];
