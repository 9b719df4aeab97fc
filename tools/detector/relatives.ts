/**
 * Groups of languages so similar that most errors occur within them. After the training of all languages together, each group is trained
 * again separately (`train-relatives.ts`).
 */
export const GROUPS_OF_RELATIVES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Latn: [
    ['bs', 'hr', 'sr-Latn'],
    ['id', 'ms'],
    ['nb', 'nn', 'da', 'sv'],
    ['es', 'gl', 'pt', 'ca', 'it'],
    ['cs', 'sk', 'sl', 'hr'],
    ['st', 'tn', 'nso'],
    ['xh', 'zu', 'ss', 'nd'],
    ['af', 'nl'],
    ['rw', 'run', 'lug'],
  ],
  Hani: [['zh-Hant', 'yue']],
};

/** Number of examples per language of a group, and the learning rate. */
export const RELATIVES_EXAMPLES = 200_000;
export const RELATIVES_RATE = 0.1;
