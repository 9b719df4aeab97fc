/** Shorter words are too much alike. */
const SHORTEST = 3;
/** A word of so many draws is known well enough to respell others by. */
const LEAST_DRAWS = 10;

/**
 * Respells Serbian as Bosnian: where Serbian has `e` for an old vowel, Bosnian has `je` or `ije` (mleko, mlijeko). No rule says
 * which `e` that is, so a word is respelled where another spelling is found among the words drawn from the Bosnian letter model more
 * often than its own, and is not found more often in Serbian. Both lists are lines of a word, a tab and its count.
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

/** Each `e` of a word in turn, spelt in the two other ways. */
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
