/** Shorter words are too similar to each other. */
const SHORTEST = 3;
/** A word drawn this often is reliable enough as a target spelling. */
const LEAST_DRAWS = 10;

/**
 * Respells Serbian as Bosnian: for an old vowel that Serbian writes as `e`, Bosnian has `je` or `ije` (mleko, mlijeko). No rule says which
 * `e` that is, so a word is respelled if another spelling occurs among the words drawn from the Bosnian letter model more often than its
 * own spelling, and not more often in Serbian. Both lists have lines of a word, a tab and its count.
 */
export function bosnianSpelling(bosnian: readonly string[], serbian: readonly string[]): (sentence: string) => string {
  const inBosnian = countsOf(bosnian);
  const inSerbian = countsOf(serbian);
  const known = new Map<string, string>();
  const respell = (word: string): string => {
    if (word.length < SHORTEST) return word;
    const own = inBosnian.get(word) ?? 0;
    let best = word;
    let most = Math.max(own, LEAST_DRAWS - 1);
    for (const spelling of spellingsOf(word)) {
      const draws = inBosnian.get(spelling) ?? 0;
      if (draws > most && draws > (inSerbian.get(spelling) ?? 0)) {
        best = spelling;
        most = draws;
      }
    }
    return best;
  };
  return (sentence) =>
    sentence.toLowerCase().replace(/\p{L}+/gu, (word) => {
      const spelling = known.get(word) ?? respell(word);
      known.set(word, spelling);
      return spelling;
    });
}

/** Each `e` of a word in turn, in the two other spellings. */
function spellingsOf(word: string): string[] {
  return [...word.matchAll(/e/g)].flatMap(({ index }) =>
    ['je', 'ije'].map((spelling) => `${word.slice(0, index)}${spelling}${word.slice(index + 1)}`),
  );
}

function countsOf(lines: readonly string[]): Map<string, number> {
  return new Map(
    lines.map((line) => {
      const [word = '', count = '0'] = line.split('\t');
      return [word, Number(count)];
    }),
  );
}
