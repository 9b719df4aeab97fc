import { type Node, SyntaxProblem, type Word, type WordPart } from './syntax.ts';

export type Token =
  | { readonly kind: 'word'; readonly word: Word; readonly plain: string | undefined }
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'redirect'; readonly from: 'stdout' | 'stderr' | 'both'; readonly operator: '>' | '>>' | '>&' }
  | { readonly kind: 'end' };

const REDIRECT = /([12]|&)?(>>|>&|>)/y;
const OPERATOR = /&&|\|\||;;|[;&|()<\n]/y;
const BLANKS = /(?:[ \t\r]|\\\n)+/y;
const COMMENT = /#[^\n]*/y;
const PLAIN = /[^ \t\r\n;&|()<>'"\\$`#]+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*|[0-9?#@*$!]/y;
const BAD_BRACES = 'this form of an expansion in braces is not supported';
/** Characters that a backslash escapes inside double quotes. */
const ESCAPABLE = '$`"\\\n';

/** Parses the inside of a `$( … )` from a position; returns the script and its end. */
export type ReadSubstitution = (text: string, at: number) => { script: Node; end: number };

/** Splits a script into words and operators. */
export class Scanner {
  readonly text: string;
  at: number;
  readonly #readSubstitution: ReadSubstitution;

  constructor(text: string, at: number, readSubstitution: ReadSubstitution) {
    this.text = text;
    this.at = at;
    this.#readSubstitution = readSubstitution;
  }

  next(): Token {
    this.#take(BLANKS);
    this.#take(COMMENT);
    if (this.at >= this.text.length) return { kind: 'end' };
    const redirect = this.#take(REDIRECT);
    if (redirect) {
      const from = redirect[1] === '2' ? 'stderr' : redirect[1] === '&' ? 'both' : 'stdout';
      return { kind: 'redirect', from, operator: redirect[2] as '>' };
    }
    const operator = this.#take(OPERATOR);
    if (operator) return { kind: 'operator', text: operator[0] };
    return this.#word();
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found ?? undefined;
  }

  #word(): Token {
    const parts: WordPart[] = [];
    for (;;) {
      const plain = this.#take(PLAIN);
      if (plain) {
        parts.push({ kind: 'text', text: plain[0], quoted: false });
        continue;
      }
      const char = this.text[this.at];
      if (char === undefined || /[ \t\r\n;&|()<>]/.test(char)) break;
      this.at++;
      if (char === '#') parts.push({ kind: 'text', text: '#', quoted: false });
      else if (char === "'") parts.push(this.#singleQuoted());
      else if (char === '"') this.#doubleQuoted(parts);
      else if (char === '\\') this.#escaped(parts);
      else if (char === '$') parts.push(this.#dollar(false));
      else throw new SyntaxProblem('backquotes are not supported');
    }
    const [only] = parts;
    const plain = parts.length === 1 && only?.kind === 'text' && !only.quoted ? only.text : undefined;
    if (plain !== undefined && /^\d+$/.test(plain) && /[<>]/.test(this.text[this.at] ?? '')) {
      throw new SyntaxProblem('only the streams 1 and 2 are supported');
    }
    return { kind: 'word', word: parts, plain };
  }

  #singleQuoted(): WordPart {
    const end = this.text.indexOf("'", this.at);
    if (end < 0) throw new SyntaxProblem('a quote is not closed');
    const text = this.text.slice(this.at, end);
    this.at = end + 1;
    return { kind: 'text', text, quoted: true };
  }

  #doubleQuoted(parts: WordPart[]): void {
    let text = '';
    for (;;) {
      const char = this.text[this.at++];
      if (char === undefined) throw new SyntaxProblem('a quote is not closed');
      if (char === '"') break;
      if (char === '`') throw new SyntaxProblem('backquotes are not supported');
      if (char === '$') {
        parts.push({ kind: 'text', text, quoted: true });
        text = '';
        parts.push(this.#dollar(true));
      } else if (char === '\\' && ESCAPABLE.includes(this.text[this.at] ?? ' ')) {
        const next = this.text[this.at++] as string;
        if (next !== '\n') text += next;
      } else text += char;
    }
    parts.push({ kind: 'text', text, quoted: true });
  }

  #escaped(parts: WordPart[]): void {
    const next = this.text[this.at];
    if (next === undefined) return;
    this.at++;
    if (next !== '\n') parts.push({ kind: 'text', text: next, quoted: true });
  }

  #dollar(quoted: boolean): WordPart {
    if (this.text.startsWith('((', this.at)) return this.#arithmetic(quoted);
    if (this.text[this.at] === '(') {
      const { script, end } = this.#readSubstitution(this.text, this.at + 1);
      this.at = end;
      return { kind: 'substitution', script, quoted };
    }
    if (this.text[this.at] === '{') return this.#braced(quoted);
    const name = this.#take(NAME);
    if (!name) return { kind: 'text', text: '$', quoted };
    return { kind: 'variable', name: name[0], otherwise: undefined, quoted };
  }

  #arithmetic(quoted: boolean): WordPart {
    const from = this.at + 2;
    let depth = 2;
    for (this.at = from; depth > 0; this.at++) {
      const char = this.text[this.at];
      if (char === undefined) throw new SyntaxProblem('a $(( is not closed');
      if (char === '(') depth++;
      else if (char === ')') depth--;
    }
    if (this.text[this.at - 2] !== ')') throw new SyntaxProblem('a $(( is not closed');
    return { kind: 'arithmetic', text: this.text.slice(from, this.at - 2), quoted };
  }

  /** `${NAME}` and `${NAME:-default}`; other forms are not supported. */
  #braced(quoted: boolean): WordPart {
    this.at++;
    const name = this.#take(NAME);
    const end = this.text.indexOf('}', this.at);
    if (!name || end < 0) throw new SyntaxProblem(BAD_BRACES);
    const rest = this.text.slice(this.at, end);
    const found = /^(:)?-([^$`'"\\]*)$/.exec(rest);
    if (rest !== '' && !found) throw new SyntaxProblem(BAD_BRACES);
    this.at = end + 1;
    const otherwise = found ? { text: found[2] as string, alsoForEmpty: found[1] !== undefined } : undefined;
    return { kind: 'variable', name: name[0], otherwise, quoted };
  }
}
