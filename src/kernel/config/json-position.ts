export interface JsonMistake {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

/**
 * Finds the first syntax error of a JSON text and what is expected there. Called after `JSON.parse` failed, whose message often lacks the
 * position. Returns `undefined` if the text is valid JSON.
 */
export function findJsonMistake(text: string): JsonMistake | undefined {
  let at = 0;

  /** Skips white space and then a token, if it matches. */
  const take = (token: RegExp): boolean => {
    const pattern = new RegExp(`[ \\t\\r\\n]*(?:${token.source})`, 'y');
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };

  const wantMore = (expected: string) => {
    take(/(?:)/);
    return expected;
  };

  const takeMembers = (close: RegExp, closeName: string, member: () => string | undefined): string | undefined => {
    if (take(close)) return undefined;
    do {
      const mistake = member();
      if (mistake !== undefined) return mistake;
    } while (take(/,/));
    return take(close) ? undefined : wantMore(`a comma or ${closeName}`);
  };

  const takeMember = (): string | undefined => {
    if (!take(STRING)) return wantMore('a name in double quotes');
    return take(/:/) ? takeValue() : wantMore('a colon');
  };

  const takeValue = (): string | undefined => {
    if (take(/\{/)) return takeMembers(/\}/, '}', takeMember);
    if (take(/\[/)) return takeMembers(/\]/, ']', takeValue);
    return take(STRING) || take(SCALAR) ? undefined : wantMore('a value');
  };

  const mistake = takeValue() ?? (take(/$/) ? undefined : wantMore('the end of the file'));
  if (mistake === undefined) return undefined;
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1, expected: mistake };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not hold raw control characters.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/;
