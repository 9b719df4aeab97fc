import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

// Usage: node tools/detector/make.ts <Common Voice folder> <work folder>.
// Rebuilds the weights, from gathering the text to the file in src/. Takes about an hour, most of it for the Latin alphabet.
const [commonVoice, work] = process.argv.slice(2);
if (commonVoice === undefined || work === undefined) {
  console.error('Usage: node tools/detector/make.ts <Common Voice folder> <work folder>');
  process.exit(2);
}

const LINGUA = '@bluzzi/lingua@1.5.0';
const here = import.meta.dirname;
const weights = join(here, '../../src/services/translator/detector/weights/languages.br');
const draft = join(work, 'draft.br');
const trust = join(work, 'trust.json');

mkdirSync(work, { recursive: true });
run('npm', ['install', '--prefix', work, '--no-save', '--ignore-scripts', LINGUA]);
tool('sources/gather.ts', join(work, 'text'), join(work, 'cache'));
tool('sample-lingua.ts', join(work, 'node_modules/@bluzzi/lingua/src/lingua_bg.wasm'), work);
tool('train.ts', commonVoice, work);
tool('train-relatives.ts', commonVoice, work);
tool('pack.ts', join(work, 'model'), draft);
tool('calibrate.ts', draft, commonVoice, trust);
tool('pack.ts', join(work, 'model'), weights, trust);

function tool(name: string, ...values: string[]): void {
  run(process.execPath, ['--max-old-space-size=12000', join(here, name), ...values]);
}

function run(program: string, values: string[]): void {
  console.log(`> ${[program, ...values].join(' ')}`);
  const { status } = spawnSync(program, values, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
