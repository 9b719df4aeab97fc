import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from './languages.ts';
import { commonVoiceLines, splitLines } from './pools.ts';

// Usage: node tools/detector/held-out.ts <Common Voice folder> [folder for the texts]
const [commonVoice = '', folder = 'tools/detector/held-out'] = process.argv.slice(2);

/** Number of sentences per language for `npm run bench:detect`: Common Voice, CC0, never used in training or tuning. */
const MOST = 200;

mkdirSync(folder, { recursive: true });
for (const language of LANGUAGES) {
  const files = commonVoiceLines(commonVoice, language).map((lines) => splitLines(lines).heldOut);
  const lines = files.flatMap((heldOut) => heldOut.slice(0, Math.ceil(MOST / files.length)));
  if (lines.length > 0) writeFileSync(join(folder, `${language}.txt`), `${lines.join('\n')}\n`);
}
