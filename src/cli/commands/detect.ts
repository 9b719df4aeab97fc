import type { Command } from 'commander';
import { answerLines, outputTo } from '../detect/answer-lines.ts';
import { LONGEST_LINE } from '../detect/lines.ts';
import { lineProgress } from '../detect/progress.ts';
import { givenTexts, type LineSource, openFile, openStandardInput } from '../detect/source.ts';
import { usageError } from '../errors.ts';
import { ignoreJarOptions } from '../jar-command.ts';

interface DetectOptions {
  readonly file?: string;
  readonly liveDetectable?: boolean;
  readonly plain?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ cloudjar detect "Guten Morgen"
  $ cloudjar detect --plain "Guten Morgen" "Buenos días"
  $ cloudjar detect --file reviews.txt > languages.jsonl
  $ sort -u names.txt | cloudjar detect | jq -r .language | sort | uniq -c

It needs neither a running jar nor a network.`;

export function declare(program: Command): void {
  ignoreJarOptions(program.command('detect'))
    .description('detect the language of texts, one answer per line')
    .argument('[texts...]', 'each argument is a text (default: the lines of stdin)')
    .option('--file <path>', 'read the lines of this file; - is stdin')
    .option('--live-detectable', 'use only languages that the real service detects')
    .option('--plain', 'print only the language and the score')
    .option('--quiet', 'no progress on the terminal, and no notes')
    .option('--json', 'print JSON, one object per line (the default)')
    .addHelpText('after', EXAMPLES)
    .action(detect);
}

async function detect(texts: readonly string[], options: DetectOptions): Promise<void> {
  if (options.plain && options.json) throw usageError('--plain and --json exclude each other');
  if (texts.length > 0 && options.file !== undefined) {
    throw usageError('give either texts or --file; quote a text with several words');
  }
  const source = texts.length > 0 ? givenTexts(texts) : await openSource(options);
  const progress = showsProgress(texts, options) ? lineProgress(process.stderr, source.bytes) : undefined;
  const { cut } = await answerLines(source, await answerer(options), outputTo(process.stdout), progress);
  if (cut.length > 0 && !options.quiet) process.stderr.write(`${cutNote(cut)}\n`);
}

async function openSource(options: DetectOptions): Promise<LineSource> {
  if (options.file !== undefined && !isStandardInput(options)) return openFile(options.file);
  if (process.stdin.isTTY && process.stderr.isTTY && !options.quiet) {
    process.stderr.write('cloudjar: reading lines from the terminal; Ctrl-D ends them\n');
  }
  return openStandardInput();
}

/** The API's detector and answer format. Loaded only after the input was opened. */
async function answerer({ liveDetectable, plain }: DetectOptions): Promise<(text: string) => string> {
  const { detectedView, textDetector } = await import('../../services/translator/api/detected.ts');
  const detectOne = await textDetector(liveDetectable);
  return (text) => {
    const found = detectedView(detectOne(text));
    return plain ? `${found.language}\t${found.score}` : JSON.stringify(found);
  };
}

const isStandardInput = ({ file = '-' }: DetectOptions): boolean => file === '-';

/**
 * A progress bar is shown only to a person who waits: not in CI logs, not between answers on the same terminal, and not while the user
 * types the input.
 */
function showsProgress(texts: readonly string[], options: DetectOptions): boolean {
  const { CI = '' } = process.env;
  if (options.quiet || texts.length > 0 || (CI !== '' && CI !== 'false')) return false;
  if (isStandardInput(options) && process.stdin.isTTY) return false;
  return process.stderr.isTTY && !process.stdout.isTTY;
}

function cutNote(cut: readonly number[]): string {
  const which = cut.length === 1 ? `line ${cut[0]} is` : `${cut.length} lines, the first of them line ${cut[0]}, are`;
  return `cloudjar: ${which} longer than ${LONGEST_LINE.toLocaleString('en')} characters; the rest was ignored`;
}
