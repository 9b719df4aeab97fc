import { createReadStream, writeSync } from 'node:fs';
import { keepCompiled } from '../../support/keep-compiled.ts';
import { fill, openSnapshots } from './open-snapshots.ts';

/** Saves, or alternately restores two snapshots, or imports a file, until it is killed; prints what was done. */
const [engine = '', address = '', what = '', life = ''] = process.argv.slice(2);
const STDOUT = 1;

const { store, snapshots } = await openSnapshots(engine, address);
const say = (line: string): void => void writeSync(STDOUT, `${line}\n`);

if (what === 'restore') {
  for (;;) {
    for (const name of ['a', 'b']) {
      await snapshots.restore(name);
      keepCompiled();
      say(name);
    }
  }
}
if (what === 'import') {
  say('begun');
  for (let i = 0; ; i++) {
    const name = `s-${life}-${i % 3}`;
    await snapshots.accept(name, createReadStream(process.env.TRAVEL_FILE ?? ''), {
      passphrase: process.env.TRAVEL_PASSPHRASE,
    });
    if (i === 0) keepCompiled();
    say(name);
  }
}
await fill(store, `of-${life}`);
say('filled');
for (let i = 0; ; i++) {
  const name = `s-${life}-${i % 3}`;
  await snapshots.save(name);
  if (i === 0) keepCompiled();
  say(name);
}
