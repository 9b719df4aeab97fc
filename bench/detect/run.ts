// npm run bench:detect -- [--only ours,eld] [--quick] [--texts <folder>] [--confusions] [--json] [--write]
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeMachine } from '../lib/machine.ts';
import { type BenchOptions, readOptions, UsageError } from './options.ts';
import { type Measured, measure, takeTurns } from './orders.ts';
import {
  accuracyTable,
  calibrationTable,
  confusionTable,
  contenderOf,
  costTable,
  languageTable,
  reliabilityTable,
  turnsTable,
} from './report.ts';
import type { SpeedRatio } from './speed.ts';
import { markdown, printable, type Table } from './table.ts';
import { type Target, targetsOf, targetTable } from './targets.ts';
import { KINDS, type LanguageTexts, readHeldOut, readTexts } from './texts.ts';

const HELD_OUT = fileURLToPath(new URL('../../tools/detector/held-out', import.meta.url));
const RESULTS = new URL('RESULTS.md', import.meta.url);
const SUBJECT = 'ours';
const SPEED_BASELINE = 'fasttext';
const MOST_CONFUSIONS = 30;

interface Findings {
  readonly measured: readonly Measured[];
  readonly turns: SpeedRatio | undefined;
  readonly targets: readonly Target[];
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const languages = readLanguages(options);
  const about = `${describeTexts(languages)}\n${describeMachine()}`;
  if (!options.json) console.log(`${about}\n`);
  const findings = await find(options, languages);
  if (options.json) console.log(JSON.stringify({ machine: describeMachine(), ...findings }, null, 2));
  else for (const table of tablesOf(options, findings)) console.log(printable(table));
  if (options.write) writeFileSync(RESULTS, page(tablesOf(options, findings), about));
  const isLeftOut = options.names.includes(SUBJECT) && !findings.measured.some(({ name }) => name === SUBJECT);
  if (isLeftOut || findings.targets.some(({ met }) => !met)) process.exitCode = 1;
}

function readLanguages({ texts, quick }: BenchOptions): LanguageTexts[] {
  if (texts !== undefined) return readTexts(resolve(texts), { quick });
  if (!existsSync(HELD_OUT)) throw new UsageError(`there are no texts in ${HELD_OUT}; name a folder with --texts`);
  return readHeldOut(HELD_OUT, { quick });
}

function describeTexts(languages: readonly LanguageTexts[]): string {
  const counts = KINDS.map((kind) => {
    const count = languages.reduce((sum, { texts }) => sum + texts[kind].length, 0);
    return `${count.toLocaleString('en')} ${kind}`;
  });
  return `${counts.join(', ')} of ${languages.length} languages`;
}

/** One detector after the other: single-threaded speed is measured, and other processes would reduce it. */
async function find({ names, quick }: BenchOptions, languages: readonly LanguageTexts[]): Promise<Findings> {
  const measured: Measured[] = [];
  for (const name of names) {
    say(`${contenderOf({ name }).title} …`);
    const outcome = await measure({ task: 'measure', name, languages, quick });
    if ('failure' in outcome) say(`${contenderOf({ name }).title} is left out: ${outcome.failure}`);
    else measured.push(outcome.result);
  }
  const turns = await inTurns(measured, languages, quick);
  return { measured, turns, targets: targetsOf(measured, turns) };
}

async function inTurns(measured: readonly Measured[], languages: readonly LanguageTexts[], quick: boolean) {
  const isMeasured = (name: string): boolean => measured.some((each) => each.name === name);
  if (!isMeasured(SUBJECT) || !isMeasured(SPEED_BASELINE)) return undefined;
  say(`${SUBJECT} and ${SPEED_BASELINE} in turns …`);
  const order = { task: 'take turns', subject: SUBJECT, baseline: SPEED_BASELINE, languages, quick } as const;
  const outcome = await takeTurns(order);
  if ('result' in outcome) return outcome.result;
  say(`the turns are left out: ${outcome.failure}`);
  return undefined;
}

function tablesOf({ confusions }: BenchOptions, { measured, turns, targets }: Findings): Table[] {
  const ours = measured.find(({ name }) => name === SUBJECT);
  const [title, rival] = [SUBJECT, SPEED_BASELINE].map((name) => contenderOf({ name }).title);
  return [
    accuracyTable(measured),
    costTable(measured),
    ...(turns ? [turnsTable(title!, rival!, turns)] : []),
    calibrationTable(measured),
    ...(ours ? [reliabilityTable(ours)] : []),
    languageTable(measured),
    ...(confusions ? (ours ? [ours] : measured).map((each) => confusionTable(each, MOST_CONFUSIONS)) : []),
    ...(targets.length > 0 ? [targetTable(targets)] : []),
  ].filter(({ rows }) => rows.length > 0);
}

function page(tables: readonly Table[], about: string): string {
  const date = new Date().toISOString().slice(0, 10);
  const head = [
    '# Language detectors, measured',
    '',
    'Written by `npm run bench:detect -- --write`; [bench/README.md](../README.md) says how it is measured.',
    '',
    `${about.replace('\n', ' on ')}, ${date}.`,
    '',
  ];
  return `${[...head, ...tables.map(markdown)].join('\n').trimEnd()}\n`;
}

function say(line: string): void {
  process.stderr.write(`  ${line}\n`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
