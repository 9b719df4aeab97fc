import { Scanner, type Token } from './scanner.ts';
import { type Assignment, type Node, NoShellProblem, type Redirect, SyntaxProblem, type Word } from './syntax.ts';

/** More than any script of a container group needs. */
const LONGEST_SCRIPT = 65_536;
const DEEPEST = 60;

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Keywords that end a part of a compound command. */
const CLOSING = new Set(['then', 'elif', 'else', 'fi', 'do', 'done', '}']);
const NOT_UNDERSTOOD = new Set(['case', 'esac', 'function', 'select']);

/** Throws `SyntaxProblem`. */
export function parseScript(text: string): Node {
  if (text.length > LONGEST_SCRIPT) throw new SyntaxProblem('the script is too long');
  const parser = new Parser(text, 0, 0);
  const script = parser.list();
  parser.expectEnd();
  return script;
}

class Parser {
  readonly #scanner: Scanner;
  #token: Token;
  #depth: number;

  constructor(text: string, at: number, depth: number) {
    if (depth > DEEPEST) throw new SyntaxProblem('the script is nested too deeply');
    this.#depth = depth;
    this.#scanner = new Scanner(text, at, (whole, from) => {
      const inner = new Parser(whole, from, this.#depth + 1);
      const script = inner.list();
      if (!inner.#isOperator(')')) throw new SyntaxProblem('a $( is not closed');
      return { script, end: inner.#scanner.at };
    });
    this.#token = this.#scanner.next();
  }

  expectEnd(): void {
    if (this.#token.kind !== 'end') throw this.#unexpected();
  }

  /** Only for errors after input that was understood completely. */
  #unexpected(expected?: string): NoShellProblem {
    const token = this.#token;
    const text = token.kind === 'operator' ? token.text : token.kind === 'word' ? token.plain : undefined;
    const what = token.kind === 'end' ? 'end of file' : text === '\n' ? 'newline' : `"${text?.slice(0, 40) ?? 'word'}"`;
    const wanted = expected === undefined ? '' : ` (expecting "${expected}")`;
    return new NoShellProblem(`syntax error: unexpected ${what}${wanted}`);
  }

  /** Parses commands up to a word or operator that cannot begin one. */
  list(): Node {
    const items: Node[] = [];
    for (;;) {
      while (this.#isOperator(';') || this.#isOperator('\n')) this.#advance();
      if (this.#token.kind === 'end' || this.#isOperator(')') || this.#isOperator(';;')) break;
      if (this.#token.kind === 'word' && CLOSING.has(this.#token.plain ?? '')) break;
      items.push(this.#chain());
      if (this.#isOperator('&')) throw new SyntaxProblem('background jobs are not supported');
    }
    return items.length === 1 ? (items[0] as Node) : { kind: 'list', items };
  }

  #chain(): Node {
    const first = this.#command();
    const rest: { op: '&&' | '||'; node: Node }[] = [];
    while (this.#token.kind === 'operator' && (this.#token.text === '&&' || this.#token.text === '||')) {
      const op = this.#token.text;
      this.#advance();
      while (this.#isOperator('\n')) this.#advance();
      rest.push({ op, node: this.#command() });
    }
    if (this.#isOperator('|')) throw new SyntaxProblem('pipes are not supported');
    return rest.length === 0 ? first : { kind: 'chain', first, rest };
  }

  #command(): Node {
    this.#depth++;
    if (this.#depth > DEEPEST) throw new SyntaxProblem('the script is nested too deeply');
    try {
      const compound = this.#compound();
      if (!compound) return this.#simple();
      const redirects: Redirect[] = [];
      while (this.#token.kind === 'redirect') redirects.push(this.#redirect());
      return redirects.length === 0 ? compound : { kind: 'redirected', body: compound, redirects };
    } finally {
      this.#depth--;
    }
  }

  #compound(): Node | undefined {
    if (this.#isOperator('(')) {
      this.#advance();
      const body = this.list();
      if (!this.#isOperator(')')) throw new SyntaxProblem('a ( is not closed');
      this.#advance();
      return { kind: 'subshell', body };
    }
    const word = this.#token.kind === 'word' ? this.#token.plain : undefined;
    if (word === undefined) return undefined;
    if (NOT_UNDERSTOOD.has(word)) throw new SyntaxProblem(`'${word}' is not supported`);
    if (word === '!') {
      this.#advance();
      return { kind: 'not', body: this.#command() };
    }
    if (word === '{') {
      this.#advance();
      const body = this.list();
      this.#keyword('}');
      return body;
    }
    if (word === 'if') return this.#if();
    if (word === 'for') return this.#for();
    if (word === 'while' || word === 'until') return this.#loop(word === 'until');
    return undefined;
  }

  #if(): Node {
    this.#advance();
    const condition = this.list();
    this.#keyword('then');
    const then = this.list();
    let otherwise: Node | undefined;
    if (this.#isKeyword('elif')) return { kind: 'if', condition, then, otherwise: this.#deeper(() => this.#if()) };
    if (this.#isKeyword('else')) {
      this.#advance();
      otherwise = this.list();
    }
    this.#keyword('fi');
    return { kind: 'if', condition, then, otherwise };
  }

  #for(): Node {
    this.#advance();
    const name = this.#token.kind === 'word' ? this.#token.plain : undefined;
    if (name === undefined || !NAME.test(name)) throw new SyntaxProblem("'for' needs the name of a variable");
    this.#advance();
    if (!this.#isKeyword('in')) throw new SyntaxProblem(`'in' is expected instead of ${this.#shown()}`);
    this.#advance();
    const words: Word[] = [];
    while (this.#token.kind === 'word') words.push(this.#takeWord());
    return { kind: 'for', name, words, body: this.#body() };
  }

  #loop(until: boolean): Node {
    this.#advance();
    const condition = this.list();
    return { kind: 'loop', until, condition, body: this.#body() };
  }

  #body(): Node {
    while (this.#isOperator(';') || this.#isOperator('\n')) this.#advance();
    this.#keyword('do');
    const body = this.list();
    this.#keyword('done');
    return body;
  }

  #simple(): Node {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      if (this.#token.kind === 'redirect') redirects.push(this.#redirect());
      else if (this.#token.kind === 'word') {
        const assignment = words.length === 0 ? asAssignment(this.#token.word) : undefined;
        if (assignment) assignments.push(assignment);
        else words.push(this.#token.word);
        this.#advance();
      } else break;
    }
    if (this.#isOperator('(')) throw new SyntaxProblem('functions are not supported');
    if (this.#isOperator('<')) throw new SyntaxProblem('input from files is not supported');
    if (words.length + assignments.length + redirects.length === 0)
      throw new SyntaxProblem(`${this.#shown()} is not expected here`);
    return { kind: 'command', assignments, words, redirects };
  }

  #redirect(): Redirect {
    const { from, operator } = this.#token as Extract<Token, { kind: 'redirect' }>;
    this.#advance();
    const plain = this.#token.kind === 'word' ? this.#token.plain : undefined;
    const name = this.#takeWord();
    if (operator !== '>&') return { from, to: { kind: 'file', name, append: operator === '>>' } };
    if (plain !== '1' && plain !== '2') throw new SyntaxProblem('only the streams 1 and 2 are supported');
    return { from, to: { kind: 'stream', stream: plain === '1' ? 'stdout' : 'stderr' } };
  }

  #deeper<T>(inner: () => T): T {
    this.#depth++;
    if (this.#depth > DEEPEST) throw new SyntaxProblem('the script is nested too deeply');
    const result = inner();
    this.#depth--;
    return result;
  }

  #takeWord(): Word {
    if (this.#token.kind !== 'word') throw new SyntaxProblem(`a word is expected instead of ${this.#shown()}`);
    const { word } = this.#token;
    this.#advance();
    return word;
  }

  #keyword(word: string): void {
    if (!this.#isKeyword(word)) throw this.#unexpected(word);
    this.#advance();
  }

  #advance(): void {
    this.#token = this.#scanner.next();
  }

  readonly #isKeyword = (word: string): boolean => this.#token.kind === 'word' && this.#token.plain === word;
  readonly #isOperator = (text: string): boolean => this.#token.kind === 'operator' && this.#token.text === text;

  #shown(): string {
    const token = this.#token;
    if (token.kind === 'end') return 'the end';
    if (token.kind === 'operator') return token.text === '\n' ? 'the end of the line' : `'${token.text}'`;
    if (token.kind === 'redirect') return `'${token.operator}'`;
    return token.plain === undefined ? 'a word' : `'${token.plain.slice(0, 40)}'`;
  }
}

function asAssignment(word: Word): Assignment | undefined {
  const [first, ...rest] = word;
  if (first?.kind !== 'text' || first.quoted) return undefined;
  const found = ASSIGNMENT.exec(first.text);
  if (!found) return undefined;
  return { name: found[1] as string, value: [{ ...first, text: found[2] as string, quoted: true }, ...rest] };
}
